"""The same for a browser: look at examples, take a test, run an experiment with people, keep a leaderboard.

What happens in processes of their own, because it takes long or comes from strangers:
    drawing      examples and items as pictures and plain values
    items        an example put to a person
    answers      what a person answers, and the predictions that it makes
    judging      predictions that were uploaded, scored
What the pages share:
    site         the database, the worker processes, what was drawn, the folders
    tables, database   what people did: sessions, answers, entries of the board
    safety       tokens, headers, bounds
    respond      pages from templates, errors as pages
    application  which function answers which address
    connections, serving   the site behind a port
The pages:
    look, findings, taking, experiment, board, admin
What studies are made of:
    study        the file of a study, and which steps a person goes through
    steps        what each step shows, how an answer is read, and what a person learns after it
    bundle       a study as files, for those without a server
    study_data   trials as tables, predictions files and published forms
    questions    questions that people judged or put in their own words
"""
