internal import Database
internal import Identifiers

/// The fields of a report that are counted in its group.
struct CountedReport {
  let id: String
  let time: Timestamp
  let version: String
  let build: String
  let os: String
  let device: String
  let install: [UInt8]?
  let reason: String?
  let symbols: Int

  var day: Int { time.day }

  static let columns = "name, time, version, build, os, device, install, reason, symbols"
}

extension CountedReport {
  /// - Parameter row: A row with ``columns``.
  init(_ row: borrowing Statement) throws(DatabaseError) {
    id = try row.text("name")
    time = try row.timestamp("time")
    version = try row.text("version")
    build = try row.text("build")
    os = try row.text("os")
    device = try row.text("device")
    install = try row.optionalBlob("install")
    reason = try row.optionalText("reason")
    symbols = try row.int("symbols")
  }
}
