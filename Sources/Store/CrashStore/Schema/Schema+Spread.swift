extension Schema {
  /// How often each system and device, and each day, occurs in a group: sums over `counters`, which
  /// has a row for each combination of them. Triggers keep them, whoever changes the counters.
  ///
  /// A field is `os` or `device`.
  static let spread = """
    CREATE TABLE group_spread (
      grp INTEGER NOT NULL REFERENCES groups,
      field TEXT NOT NULL,
      value TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (grp, field, value)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE group_days (
      grp INTEGER NOT NULL REFERENCES groups,
      day INTEGER NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (grp, day)
    ) STRICT, WITHOUT ROWID;

    INSERT INTO group_spread (grp, field, value, count)
      SELECT grp, 'os', os, sum(count) FROM counters GROUP BY grp, os;
    INSERT INTO group_spread (grp, field, value, count)
      SELECT grp, 'device', device, sum(count) FROM counters GROUP BY grp, device;
    INSERT INTO group_days (grp, day, count)
      SELECT grp, day, sum(count) FROM counters GROUP BY grp, day;

    CREATE TRIGGER spread_added AFTER INSERT ON counters BEGIN
      INSERT INTO group_spread (grp, field, value, count)
        VALUES (new.grp, 'os', new.os, new.count), (new.grp, 'device', new.device, new.count)
        ON CONFLICT DO UPDATE SET count = count + excluded.count;
      INSERT INTO group_days (grp, day, count) VALUES (new.grp, new.day, new.count)
        ON CONFLICT DO UPDATE SET count = count + excluded.count;
    END;
    CREATE TRIGGER spread_grown AFTER UPDATE ON counters
    WHEN old.grp = new.grp AND old.day = new.day AND old.os = new.os AND old.device = new.device
      AND new.count >= old.count
    BEGIN
      UPDATE group_spread SET count = count + new.count - old.count
        WHERE grp = new.grp AND field = 'os' AND value = new.os;
      UPDATE group_spread SET count = count + new.count - old.count
        WHERE grp = new.grp AND field = 'device' AND value = new.device;
      UPDATE group_days SET count = count + new.count - old.count
        WHERE grp = new.grp AND day = new.day;
    END;
    CREATE TRIGGER spread_moved AFTER UPDATE ON counters
    WHEN old.grp != new.grp OR old.day != new.day OR old.os != new.os OR old.device != new.device
      OR new.count < old.count
    BEGIN
      INSERT INTO group_spread (grp, field, value, count)
        VALUES (new.grp, 'os', new.os, new.count), (new.grp, 'device', new.device, new.count)
        ON CONFLICT DO UPDATE SET count = count + excluded.count;
      INSERT INTO group_days (grp, day, count) VALUES (new.grp, new.day, new.count)
        ON CONFLICT DO UPDATE SET count = count + excluded.count;
      \(subtraction)
    END;
    CREATE TRIGGER spread_removed AFTER DELETE ON counters BEGIN
      \(subtraction)
    END;

    """

  private static let subtraction = """
    UPDATE group_spread SET count = count - old.count
      WHERE grp = old.grp AND field = 'os' AND value = old.os;
    UPDATE group_spread SET count = count - old.count
      WHERE grp = old.grp AND field = 'device' AND value = old.device;
    DELETE FROM group_spread
      WHERE grp = old.grp AND field = 'os' AND value = old.os AND count <= 0;
    DELETE FROM group_spread
      WHERE grp = old.grp AND field = 'device' AND value = old.device AND count <= 0;
    UPDATE group_days SET count = count - old.count WHERE grp = old.grp AND day = old.day;
    DELETE FROM group_days WHERE grp = old.grp AND day = old.day AND count <= 0;
    """
}
