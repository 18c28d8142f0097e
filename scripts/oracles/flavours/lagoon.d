// A small program with templates, nested functions and a class.
import std.algorithm : filter, map, sort, sum;
import std.array : array;
import std.conv : to;
import std.stdio : writeln;

int rise(int level) pure { return level * 7 + 3; }

abstract class Vessel { abstract int draught(int load); }

class Barge : Vessel {
  int[] berths;
  this(int[] berths) { this.berths = berths; }
  override int draught(int load) {
    int twice(int value) { return value * load + cast(int) berths.length; }
    return berths.map!(berth => twice(rise(berth))).sum;
  }
}

struct Ladder(int rungs) {
  static int climb(alias step)(int value) {
    static if (rungs > 0) return Ladder!(rungs - 1).climb!step(step(value, rungs));
    else return value;
  }
}

void main(string[] arguments) {
  Vessel[string] fleet;
  foreach (index, name; arguments ~ ["skiff", "punt", "ketch"])
    fleet[name] = new Barge([cast(int) index, 4, 9]);
  auto names = fleet.keys.sort.filter!(name => name.length > 2).array;
  foreach (name; names)
    writeln(name, " ", fleet[name].draught(3) + Ladder!5.climb!((a, b) => a * b + 1)(2));
  try writeln(to!int(names[0]));
  catch (Exception problem) writeln(problem.msg);
}
