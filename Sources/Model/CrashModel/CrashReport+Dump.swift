/// The dump of a native crash, which arrives separately from the report, mostly after it.
extension CrashReport {
  /// The file name that SDKs give it.
  public static let dumpName = "minidump.dmp"
  /// Values of ``ReportTag/minidump``.
  public static let awaitedDump = "awaited"
  public static let storedDump = "stored"
  public static let readDump = "read"
  public static let unreadableDump = "unreadable"

  /// Whether the report is about a native crash and waits for its dump.
  public var awaitsDump: Bool { tags[.minidump] == Self.awaitedDump }

  /// Adopts the facts of the crash's dump. The report's own facts about its app, device and user are kept.
  public mutating func take(dump: CrashReport) {
    tags[.minidump] = Self.readDump
    reason = dump.reason
    if reason == CrashReason() { reason.type = "native crash" }
    threads = dump.threads
    crashedThread = dump.crashedThread
    images = dump.images
    unloadedImages = dump.unloadedImages
    memory = dump.memory
    self.dump = dump.dump
    time = time ?? dump.time
    install = install ?? dump.install
    os.name = os.name ?? dump.os.name
    os.version = os.version ?? dump.os.version
    os.build = os.build ?? dump.os.build
    // The device's own value may be that of its system, not of the process.
    device.architecture = dump.device.architecture ?? device.architecture
    process.name = process.name ?? dump.process.name
    process.path = process.path ?? dump.process.path
    process.pid = process.pid ?? dump.process.pid
    process.uptime = process.uptime ?? dump.process.uptime
    tags.merge(dump.tags) { own, _ in own }
    properties.merge(dump.properties) { own, _ in own }
    notes = notes.filter { !$0.hasPrefix(Self.waiting) } + dump.notes
  }

  /// Notes that the dump arrived and cannot be read.
  public mutating func refuseDump(because reason: String) {
    tags[.minidump] = Self.unreadableDump
    notes = notes.filter { !$0.hasPrefix(Self.waiting) }
    notes.append("\(Self.dumpName) cannot be read: \(reason)")
  }

  /// The start of the note of such a report.
  public static let waiting = "waiting for \(dumpName)"

  /// Notes that the dump arrived, if the report waited for it.
  ///
  /// - Parameter attachments: The names of the files that came with the report.
  public mutating func noteDump(among attachments: some Sequence<String>) {
    guard tags[.minidump] == Self.awaitedDump, attachments.contains(Self.dumpName) else {
      return
    }
    tags[.minidump] = Self.storedDump
    notes = notes.map { note in
      note.hasPrefix(Self.waiting) ? "\(Self.dumpName) is stored and will be read" : note
    }
  }
}
