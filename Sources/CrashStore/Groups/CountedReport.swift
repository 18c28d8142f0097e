internal import CrashModel
internal import Database

/// What of a report goes into the figures of its group.
struct CountedReport {
  let id: String
  /// In microseconds.
  let time: Int
  let version: String
  let build: String
  let os: String
  let device: String
  let install: [UInt8]?
  let reason: String?
  let symbols: Int

  var day: Int { Timestamp(microseconds: time).day }

  static let columns = "name, time, version, build, os, device, install, reason, symbols"
}

extension CountedReport {
  /// - Parameter row: A row with ``columns``.
  init(_ row: borrowing Statement) {
    id = row.text("name")
    time = row.int("time")
    version = row.text("version")
    build = row.text("build")
    os = row.text("os")
    device = row.text("device")
    install = row.optionalBlob("install")
    reason = row.optionalText("reason")
    symbols = row.int("symbols")
  }
}
