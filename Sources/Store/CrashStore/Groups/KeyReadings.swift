internal import CrashModel
internal import Database

/// Readings of keys, and the builds that have the keys, to be noted together; see
/// ``GroupsTable/noteReadings(of:build:in:)``.
struct KeyReadings {
  private struct Reading {
    let position: Int
    var weak: Int
  }

  private var readings: [RowKey: Reading] = [:]

  mutating func add(
    _ signature: Signature, build: CountedReport, app: RowID<Tables.Apps>
  ) {
    let weak = signature.weakAlternativeKeys
    for (position, reading) in signature.alternativeKeys.enumerated() {
      add(
        RowKey(app.sqlValue, signature.key.sqlValue, reading.sqlValue),
        Reading(position: position, weak: weak.contains(reading) ? 1 : 0))
    }
    add(
      RowKey(app.sqlValue, signature.key.sqlValue, KeysTable.name(of: build).sqlValue),
      Reading(position: 0, weak: KeysTable.ofBuild))
  }

  private mutating func add(_ key: RowKey, _ reading: Reading) {
    guard let known = readings[key] else { return readings[key] = reading }
    // A reading that one report shows to be exact is exact for all with its key.
    readings[key]?.weak = min(known.weak, reading.weak)
  }

  func write(to database: borrowing Connection) throws {
    try database.insertMany(
      into: "key_readings", columns: ["app", "key", "reading", "position", "weak"],
      readings.sorted { $0.key < $1.key }.flatMap { key, reading in
        key.values + [reading.position.sqlValue, reading.weak.sqlValue]
      },
      onConflict: """
        ON CONFLICT (app, key, reading) DO UPDATE SET weak = excluded.weak
        WHERE key_readings.weak > excluded.weak
        """)
  }
}
