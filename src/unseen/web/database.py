"""What people did, in one database: SQLite by default, another such as PostgreSQL by its address.

An answer is acknowledged after its transaction is on the disk, so that whatever was acknowledged outlives the process.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, delete, event, func, insert, make_url, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from unseen.core.errors import DataError, UnknownName
from unseen.web.safety import new_token, whole
from unseen.web.tables import ANSWERS, ENTRIES, FILES, METADATA, PEOPLE, SESSIONS, SETTINGS

WAIT = 30  # seconds for another process's turn to write
MOST_PEOPLE = 2**31  # that a column of numbers can count
WITHDRAWN = {
    "by": "",
    "paraphrase": "(withdrawn by the person who wrote it)",
}  # in a step that was about somebody's words
REMEMBERED, MOST_REMEMBERED = 60.0, 2000  # seconds and number of sessions that are not read again


@dataclass(frozen=True)
class Answer:
    """What was answered at a step."""

    position: int
    response: dict[str, Any]
    tries: int
    done: bool
    stored: float


@dataclass(frozen=True)
class Session:
    """Somebody's way through a test or a study."""

    id: str
    purpose: str
    subject: str
    number: int
    visitor: str
    simulated: bool
    plan: list[dict[str, Any]]
    code: str
    started: float
    finished: float | None


class Database:
    """All that is read and written, as functions; nobody else writes a query.

    >>> database = Database("sqlite://")
    >>> session = database.begin("test", "cvr/shape", visitor="somebody", plan=[{"kind": "item"}])
    >>> database.store(session.id, 0, {"choice": 2}).response, database.store(session.id, 0, {"choice": 3}).response
    ({'choice': 2}, {'choice': 2})
    """

    def __init__(self, place: str | Path) -> None:
        """`place` is a file of SQLite's, or the address of a database such as postgresql+psycopg://host/name."""
        self.engine = _engine(str(place))
        # SQLite has one writer at a time: threads wait here, in order, instead of asking again and again
        self._turn: Any = threading.Lock() if self.engine.dialect.name == "sqlite" else _NoWait()
        # a session never changes but for its end, and comes further and never back: what was read may be remembered
        self._sessions: dict[str, tuple[Session, float]] = {}
        self._reached: dict[str, int] = {}
        try:
            METADATA.create_all(self.engine)
        except SQLAlchemyError as error:
            raise DataError(f"the database {place} cannot be opened: {_reason(error)}") from error

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._turn, self.engine.execution_options(writes=True).begin() as connection:
            yield connection

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()

    def secret(self) -> str:
        """Return the secret of this site, made when first asked for."""
        chosen = select(SETTINGS.c.value).where(SETTINGS.c.name == "secret")
        with suppress(IntegrityError), self._writing() as connection:  # another site over this database may be first
            if connection.scalar(chosen) is None:
                connection.execute(insert(SETTINGS).values(name="secret", value=new_token() + new_token()))
        with self.engine.connect() as connection:
            return str(connection.scalar(chosen))

    # ------------------------------------------------------------------------ sessions

    def begin(
        self,
        purpose: str,
        subject: str,
        *,
        visitor: str,
        plan: Any,
        person: str = "",
        arrival: dict[str, str] | None = None,
        code: str = "",
        simulated: bool = False,
    ) -> Session:
        """Begin under the next number of its subject; `plan` is a list of steps, or makes one of the number."""
        for _ in range(20):
            try:
                with self._writing() as connection:
                    mine = (SESSIONS.c.purpose == purpose) & (SESSIONS.c.subject == subject)
                    last = connection.scalar(select(func.max(SESSIONS.c.number)).where(mine))
                    number = 0 if last is None else last + 1
                    session = Session(
                        id=new_token(),
                        purpose=purpose,
                        subject=subject,
                        number=number,
                        visitor=visitor,
                        simulated=simulated,
                        plan=plan(number) if callable(plan) else plan,
                        code=code or new_token()[:8].upper().replace("-", "X").replace("_", "Y"),
                        started=time.time(),
                        finished=None,
                    )
                    connection.execute(insert(SESSIONS).values(**session.__dict__))
                    if person or arrival:
                        connection.execute(
                            insert(PEOPLE).values(session=session.id, person=person, arrival=arrival or {}, facts={})
                        )
                    return session
            except IntegrityError:  # another process took the number
                continue
        raise DataError(f"no number could be had for a session of {subject}; try again")

    def session(self, id: str) -> Session:
        """Return a session by its id; one that another process has removed is known for a little while longer."""
        known = self._sessions.get(id)
        if known and time.monotonic() - known[1] < REMEMBERED:
            return known[0]
        with self.engine.connect() as connection:
            row = connection.execute(select(SESSIONS).where(SESSIONS.c.id == id)).mappings().first()
        if row is None:
            raise UnknownName("there is no such session; begin a new one")
        session = Session(**row)
        if len(self._sessions) > MOST_REMEMBERED:
            self._sessions.clear()
            self._reached.clear()
        self._sessions[id] = session, time.monotonic()
        return session

    def sessions(self, purpose: str, subject: str | None = None) -> list[Session]:
        """Return all sessions of a purpose, of one subject or of all, in the order of their numbers."""
        chosen = select(SESSIONS).where(SESSIONS.c.purpose == purpose).order_by(SESSIONS.c.subject, SESSIONS.c.number)
        if subject is not None:
            chosen = chosen.where(SESSIONS.c.subject == subject)
        with self.engine.connect() as connection:
            return [Session(**row) for row in connection.execute(chosen).mappings()]

    def of_people(self, study: str) -> list[Session]:
        """Return the sessions of a study, without those that were played by themselves."""
        return [session for session in self.sessions("study", study) if not session.simulated]

    def resumable(self, purpose: str, subject: str, *, visitor: str, person: str = "") -> Session | None:
        """Give the last session that this person has begun: by the id that they came with, or else by their browser."""
        chosen = select(SESSIONS).where(SESSIONS.c.purpose == purpose, SESSIONS.c.subject == subject)
        if person:
            chosen = chosen.join(PEOPLE, PEOPLE.c.session == SESSIONS.c.id).where(PEOPLE.c.person == person)
        else:
            chosen = chosen.where(SESSIONS.c.visitor == visitor, SESSIONS.c.finished.is_(None))
        with self.engine.connect() as connection:
            row = connection.execute(chosen.order_by(SESSIONS.c.started.desc())).mappings().first()
        return Session(**row) if row else None

    def store(self, session: str, position: int, response: dict[str, Any], *, done: bool = True) -> Answer:
        """Store an answer and give what is stored: the first one, whatever is sent for the same step later.

        An answer that is not `done` may be given again; its tries are counted.
        """
        stored = Answer(position, response, tries=1, done=done, stored=time.time())
        try:
            with self._writing() as connection:
                connection.execute(insert(ANSWERS), {"session": session, **stored.__dict__})
        except IntegrityError:  # it was answered before, or the session is gone
            stored = self._store_again(session, stored)
        if stored.done:
            self._reached[session] = max(position + 1, self._reached.get(session, 0))
        return stored

    def _store_again(self, session: str, given: Answer) -> Answer:
        with self._writing() as connection:
            mine = (ANSWERS.c.session == session) & (ANSWERS.c.position == given.position)
            found = connection.execute(select(ANSWERS).where(mine)).mappings().first()
            if found is None:
                self._sessions.pop(session, None)
                raise UnknownName("there is no such session any more; begin a new one")
            if found["done"]:
                return Answer(given.position, *(found[name] for name in ("response", "tries", "done", "stored")))
            again = replace(given, tries=found["tries"] + 1)
            connection.execute(update(ANSWERS).where(mine).values(**again.__dict__))
        return again

    def answers(self, session: str) -> dict[int, Answer]:
        """Return the answers of a session by their step."""
        chosen = select(ANSWERS).where(ANSWERS.c.session == session).order_by(ANSWERS.c.position)
        names = ("position", "response", "tries", "done", "stored")
        with self.engine.connect() as connection:
            return {
                row["position"]: Answer(**{name: row[name] for name in names})
                for row in connection.execute(chosen).mappings()
            }

    def position(self, session: str) -> int:
        """Return the first step that has yet to be answered; steps are answered in order."""
        mine = ANSWERS.c.session == session
        chosen = select(func.count()).select_from(ANSWERS).where(mine & ANSWERS.c.done)
        with self.engine.connect() as connection:
            return int(connection.scalar(chosen) or 0)

    def has_reached(self, session: str, position: int) -> bool:
        """Tell whether all steps before one are answered."""
        if self._reached.get(session, 0) < position:
            self._reached[session] = self.position(session)
        return self._reached[session] >= position if position else True

    def finish(self, session: str) -> None:
        """Note that a session is complete."""
        with self._writing() as connection:
            mine = (SESSIONS.c.id == session) & SESSIONS.c.finished.is_(None)
            connection.execute(update(SESSIONS).where(mine).values(finished=time.time()))
        self._sessions.pop(session, None)

    def tell(self, session: str, facts: dict[str, Any]) -> None:
        """Keep what a person said about themselves, apart from their answers; what they said first stays."""
        mine = PEOPLE.c.session == session
        try:
            with self._writing() as connection:
                known = connection.execute(select(PEOPLE.c.facts).where(mine)).first()
                if known is None:
                    connection.execute(insert(PEOPLE).values(session=session, person="", arrival={}, facts=facts))
                elif not known.facts:
                    connection.execute(update(PEOPLE).where(mine).values(facts=facts))
        except IntegrityError:
            raise UnknownName("there is no such session any more; begin a new one") from None

    def person(self, session: str) -> dict[str, Any]:
        """Return what is known of a person: the ids that they came with, and what they said of themselves."""
        with self.engine.connect() as connection:
            row = connection.execute(select(PEOPLE).where(PEOPLE.c.session == session)).mappings().first()
        return dict(row) if row else {"session": session, "person": "", "arrival": {}, "facts": {}}

    def forget(self, id: str) -> int:
        """Remove a person, by the id that they came with, a session, or `study/number`; say how many sessions went.

        What they wrote goes from the sessions of others, too, and nothing is left over in the files of SQLite.
        """
        subject, _, number = id.rpartition("/")
        counted = whole(number)
        found = select(SESSIONS.c.id).outerjoin(PEOPLE, PEOPLE.c.session == SESSIONS.c.id)
        which = (SESSIONS.c.id == id) | ((PEOPLE.c.person == id) if id else False)
        if subject and counted is not None and counted < MOST_PEOPLE:
            which = which | ((SESSIONS.c.subject == subject) & (SESSIONS.c.number == counted))
        with self._writing() as connection:
            gone = list(connection.scalars(found.where(which)))
            entries = list(connection.scalars(select(ENTRIES.c.id).where(ENTRIES.c.session.in_(gone))))
            connection.execute(delete(FILES).where(FILES.c.entry.in_(entries)))
            connection.execute(delete(ENTRIES).where(ENTRIES.c.id.in_(entries)))
            for table in (ANSWERS, PEOPLE):
                connection.execute(delete(table).where(table.c.session.in_(gone)))
            connection.execute(delete(SESSIONS).where(SESSIONS.c.id.in_(gone)))
            changed = _withdraw(connection, set(gone))
        for session in (*gone, *changed):
            self._sessions.pop(session, None)
            self._reached.pop(session, None)
        self._clear_journal()
        return len(gone)

    def _clear_journal(self) -> None:
        """Empty the journal of SQLite, in which removed rows would stay until it is used up."""
        if self.engine.dialect.name == "sqlite":
            connection = self.engine.raw_connection()
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.close()

    # ------------------------------------------------------------------------ the board

    def add_entry(self, entry: dict[str, Any], found: Iterable[dict[str, Any]]) -> None:
        """Add a row to the board with its files; a name that is taken is refused."""
        try:
            with self._writing() as connection:
                connection.execute(insert(ENTRIES).values(**entry))
                connection.execute(insert(FILES), [{"entry": entry["id"], **one} for one in found])
        except IntegrityError:
            raise DataError(f"the board has an entry named {entry['name']!r} already; choose another name") from None

    def entries(self, id: str | None = None) -> list[dict[str, Any]]:
        """Return the rows of the board, or one of them, each with its files but for their bytes."""
        chosen = select(ENTRIES).order_by(ENTRIES.c.task, ENTRIES.c.added)
        columns = [column for column in FILES.c if column.name != "predictions"]
        if id is not None:
            chosen = chosen.where(ENTRIES.c.id == id)
        with self.engine.connect() as connection:
            rows = [dict(row) for row in connection.execute(chosen).mappings()]
            for row in rows:
                mine = select(*columns).where(FILES.c.entry == row["id"]).order_by(FILES.c.split)
                row["files"] = {one["split"]: dict(one) for one in connection.execute(mine).mappings()}
        return rows

    def entry(self, id: str) -> dict[str, Any]:
        """Return a row of the board."""
        found = self.entries(id)
        if not found:
            raise UnknownName("the board has no such entry")
        return found[0]

    def board_bytes(self) -> int:
        """Tell how large all files of the board are together."""
        with self.engine.connect() as connection:
            return int(connection.scalar(select(func.sum(func.length(FILES.c.predictions)))) or 0)

    def predictions(self, entry: str, split: str) -> bytes:
        """Return the file of predictions behind a row."""
        with self.engine.connect() as connection:
            mine = (FILES.c.entry == entry) & (FILES.c.split == split)
            found = connection.scalar(select(FILES.c.predictions).where(mine))
        if found is None:
            raise UnknownName("the board has no such file")
        return bytes(found)

    def rescored(self, entry: str, split: str, scores: dict[str, Any]) -> None:
        """Put new scores in the place of old ones."""
        with self._writing() as connection:
            mine = (FILES.c.entry == entry) & (FILES.c.split == split)
            connection.execute(update(FILES).where(mine).values(scores=scores, scored=time.time()))

    def remove_entry(self, id: str) -> None:
        """Take a row off the board."""
        with self._writing() as connection:
            connection.execute(delete(FILES).where(FILES.c.entry == id))
            connection.execute(delete(ENTRIES).where(ENTRIES.c.id == id))


def _withdraw(connection: Connection, gone: set[str]) -> list[str]:
    """Take what some people wrote out of the plans of those who check it; say whose plans these are."""
    changed = []
    for id, plan in connection.execute(select(SESSIONS.c.id, SESSIONS.c.plan).where(SESSIONS.c.purpose == "study")):
        if any(step.get("by") in gone for step in plan):
            without = [{**step, **WITHDRAWN} if step.get("by") in gone else step for step in plan]
            connection.execute(update(SESSIONS).where(SESSIONS.c.id == id).values(plan=without))
            changed.append(id)
    return changed


class _NoWait:
    """A turn that need not be waited for."""

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


def _engine(place: str) -> Engine:
    if "://" not in place:
        Path(place).parent.mkdir(parents=True, exist_ok=True)
        place = f"sqlite:///{place}"
    try:
        url = make_url(place)
        if url.get_backend_name() != "sqlite":
            return create_engine(url, pool_pre_ping=True)
        engine = create_engine(url, connect_args={"timeout": WAIT, "check_same_thread": False})
    except (SQLAlchemyError, ImportError) as error:
        raise DataError(f"{place!r} is no database that can be opened here: {_reason(error)}") from error
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin)
    return engine


def _set_up_sqlite(connection: sqlite3.Connection, _: object) -> None:
    """Readers do not wait for writers, a commit is on the disk, what is removed is overwritten, and we begin."""
    connection.isolation_level = None
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "secure_delete=ON",
        f"busy_timeout={1000 * WAIT}",
        "foreign_keys=ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """Who is going to write waits for their turn at once: who only reads can no longer become a writer later."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _reason(error: Exception) -> str:
    return str(error).partition("\n")[0]


def steps_answered(
    plan: Sequence[dict[str, Any]], answers: dict[int, Answer]
) -> Iterator[tuple[dict[str, Any], Answer]]:
    """Yield the steps of a plan that were answered, each with its answer."""
    for position, step in enumerate(plan):
        if position in answers and answers[position].done:
            yield step, answers[position]
