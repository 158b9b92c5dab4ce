"""A library whose index lies in LanceDB tables, on a shared file system or in an object store.

Many workers search one index: each opens the tables at the versions that the current generation
names, so that a sync by somebody else changes nothing for it. LanceDB finds candidates by words and
by meaning; the ranking over them is the same as for an index on the local disk.
"""
