"""The atlas: 250 countries, declared once and served over HTTP and MCP.

An example application of polyface. The data lives in an embedded SQLite file, the contract in
`atlas.contract`, and `python -m atlas` starts everything; the README beside this file says how.
"""
