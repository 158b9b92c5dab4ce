"""Measuring answers to questions with known answers: any engine's, on public question sets or one's own.

The work is in four steps, each usable alone: reading questions (:mod:`.reading`) and answers
(:mod:`.answers`), measuring each answer (:mod:`.measuring`), drawing figures from what was measured
(:mod:`.figures`, :mod:`.comparison`), and showing them (:mod:`.report`). What was measured is kept, so
that the last two steps can be repeated without asking anything again.
"""
