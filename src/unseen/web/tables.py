"""The tables of the database.

sessions    somebody goes through the steps of a test or a study; the plan of steps is fixed when it begins
answers     what they answered at each step, written once and never changed
people      what a study's file asks about a person, and the ids that they came with: all that `forget` must find
entries     rows of the leaderboard, and files, the predictions behind them
settings    the secret that tokens follow from
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()
SETTINGS = Table("settings", METADATA, Column("name", String(64), primary_key=True), Column("value", Text))
SESSIONS = Table(
    "sessions",
    METADATA,
    Column("id", String(64), primary_key=True),  # in its address, and as good as a password
    Column("purpose", String(16), nullable=False),  # test or study
    Column("subject", String(500), nullable=False),  # the task, or the name of the study
    Column("number", Integer, nullable=False),  # of the person, counted from 0 for each subject
    Column("visitor", String(64), nullable=False, index=True),
    Column("simulated", Boolean, nullable=False, default=False),
    Column("plan", JSON, nullable=False),
    Column("code", String(64), nullable=False),  # that says a study was completed
    Column("started", Float, nullable=False),
    Column("finished", Float),
    UniqueConstraint("purpose", "subject", "number"),
)
ANSWERS = Table(
    "answers",
    METADATA,
    Column("session", ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("response", JSON, nullable=False),
    Column("tries", Integer, nullable=False, default=1),
    Column("done", Boolean, nullable=False, default=True),  # not yet, where the quiz has to be taken again
    Column("stored", Float, nullable=False),
)
PEOPLE = Table(
    "people",
    METADATA,
    Column("session", ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(200), nullable=False, index=True),  # the id that they came with; may be empty
    Column("arrival", JSON, nullable=False),
    Column("facts", JSON, nullable=False),
)
ENTRIES = Table(
    "entries",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("name", String(100), nullable=False, unique=True),
    Column("description", Text, nullable=False),
    Column("link", String(500), nullable=False),
    Column("task", String(500), nullable=False, index=True),
    Column("owner", String(64), nullable=False),  # the digest of their token
    Column("session", String(64)),  # whose answers these are, where a person gave them here
    Column("added", Float, nullable=False),
)
FILES = Table(
    "files",
    METADATA,
    Column("entry", ForeignKey("entries.id", ondelete="CASCADE"), primary_key=True),
    Column("split", String(64), primary_key=True),
    Column("seed", BigInteger, nullable=False),
    Column("predictions", LargeBinary, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("scores", JSON, nullable=False),
    Column("scored", Float, nullable=False),
)
