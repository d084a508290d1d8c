"""What can go wrong: each error of the command is one sentence with its remedy.

    AtlasError
    ├── DataFileError      the countries can't be read
    ├── DatabaseError      the SQLite file can't be used
    ├── PortError          the address can't be listened on
    └── DemoError          the demonstration found something that is not as it should be

The command line prints the sentence and ends with a non-zero status. `DatabaseBusyError` is of
another kind: one call meets it, and its caller is told to try again.
"""


class AtlasError(Exception):
    """The command can't go on; the text is a sentence for the person who typed it."""


class DataFileError(AtlasError):
    """The file of countries is missing, unreadable, or holds something else."""


class DatabaseError(AtlasError):
    """The SQLite file can't be opened, is damaged, or belongs to something else."""


class PortError(AtlasError):
    """The address can't be listened on."""


class DemoError(AtlasError):
    """The demonstration found a difference, or a server that doesn't answer."""


class DatabaseBusyError(Exception):
    """A query waited too long for another one's lock; the same call may succeed later."""
