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
  /// - Parameter row: A row that begins with ``columns``.
  init(_ row: borrowing Statement) {
    id = row.text(0)
    time = row.int(1)
    version = row.text(2)
    build = row.text(3)
    os = row.text(4)
    device = row.text(5)
    install = row.isNull(6) ? nil : row.blob(6)
    reason = row.optionalText(7)
    symbols = row.int(8)
  }
}
