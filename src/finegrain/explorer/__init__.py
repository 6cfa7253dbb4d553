"""The page of a report fed by a local server, for data that no page could hold.

``answers`` says what there is to say, as bytes; ``guard`` says who is answered; ``server`` puts the
two behind a port of this computer. Only the last two know about HTTP.
"""
