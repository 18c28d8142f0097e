// A small library without the standard one, which changes between releases.
const Berth = struct {
    depth: i64,
    length: i64,

    inline fn rise(self: Berth) i64 {
        return self.depth *% 7 +% 3;
    }

    fn weight(self: Berth, scale: i64) i64 {
        return self.rise() *% scale +% self.length;
    }
};

fn Ladder(comptime rungs: u32) type {
    return struct {
        noinline fn climb(value: i64) i64 {
            if (rungs == 0) return value;
            return Ladder(rungs -| 1).climb(value *% 3 +% rungs);
        }
    };
}

fn fold(comptime T: type, items: []const T, comptime step: fn (i64, T) i64) i64 {
    var sum: i64 = 0;
    for (items) |item| sum = step(sum, item);
    return sum;
}

fn add(sum: i64, berth: Berth) i64 {
    return sum +% berth.weight(sum);
}

fn checked(value: i64) error{Shallow}!i64 {
    if (value < 10) return error.Shallow;
    return Ladder(4).climb(value);
}

export fn lagoon_run(seed: i64) i64 {
    var berths: [9]Berth = undefined;
    for (&berths, 0..) |*berth, index| {
        berth.* = .{ .depth = seed *% @as(i64, @intCast(index)), .length = seed };
    }
    const sum = fold(Berth, &berths, add);
    return checked(sum) catch |problem| switch (problem) {
        error.Shallow => -1,
    };
}
