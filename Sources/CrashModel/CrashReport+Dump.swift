/// The dump of a native crash, which comes apart from the report, mostly after it.
extension CrashReport {
  /// What SDKs call it.
  public static let dumpName = "minidump.dmp"
  /// Values of ``ReportTag/minidump``.
  public static let awaitedDump = "awaited"
  public static let storedDump = "stored"

  /// Says that the dump is there, if it was waited for.
  ///
  /// - Parameter attachments: The names of the files that came with the report.
  public mutating func noteDump(among attachments: some Sequence<String>) {
    guard tags[.minidump] == Self.awaitedDump, attachments.contains(Self.dumpName) else {
      return
    }
    tags[.minidump] = Self.storedDump
    notes = notes.map { note in
      note.hasPrefix("waiting for \(Self.dumpName)")
        ? "\(Self.dumpName) is stored; this version cannot read minidumps yet" : note
    }
  }
}
