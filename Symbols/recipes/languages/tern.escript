#!/usr/bin/env escript
%% Crashes; run by make-languages.sh.
main(_) -> io:format("~p~n", [charge([1, 2])]).
charge(Desk) -> 1 + line(Desk, "seven").
line(Desk, N) -> 1 + lists:nth(list_to_integer(N), Desk).
