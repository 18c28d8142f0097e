"""Crashes in the way that its argument names. Built and run by make-languages.sh."""
import faulthandler
import sys
import threading
import time


class Declined(Exception):
    pass


def line(lines, n):
    return lines[n]


def charge(n):
    try:
        return line([], n)
    except IndexError as cause:
        raise Declined(f"desk {n} is closed") from cause


def charge_all():
    errors = []
    for n in (3, 4):
        try:
            charge(n)
        except Declined as error:
            error.add_note("retry later")
            errors.append(error)
    raise ExceptionGroup("charging 2 desks", errors)


def fault():
    threading.Thread(target=time.sleep, args=(2,), name="till", daemon=True).start()
    time.sleep(0.2)
    faulthandler.enable()
    faulthandler._sigsegv()


def main():
    match sys.argv[1]:
        case "thread":
            threading.Thread(target=charge, args=(3,), name="till 3").start()
        case "group":
            charge_all()
        case "fault":
            fault()


main()
