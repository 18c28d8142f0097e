internal import CrashModel

extension CrashCategoryDecision {
  /// Codes with which the systems end a process that takes too long.
  ///
  /// Source: Apple's technical note 2151 and "Understanding the exception types in a crash report".
  private static let watchdogCodes: [(code: UInt64, kind: String, isMainThread: Bool)] = [
    (0x8BAD_F00D, "0x8badf00d", true), (0xDEAD_10CC, "0xdead10cc", false),
    (0xBADA_5E47, "0xbada5e47", false), (0xC51B_AD01, "0xc51bad01", true),
    (0xC51B_AD02, "0xc51bad02", true), (0xC51B_AD03, "0xc51bad03", true),
    (0xBAAD_CA11, "0xbaadca11", true), (0xBAD2_2222, "0xbad22222", true),
  ]

  mutating func decideWatchdog(
    _ report: CrashReport, _ classifier: FrameClassifier, _ images: inout ImageOwners
  ) -> Bool {
    if let tag = report.tags[.terminationCode],
      let code = Self.number(Scrubbing.scrub(tag.lowercased(), limit: 64), 0),
      let found = Self.watchdogCodes.first(where: { $0.code == code })
    {
      let kind = Self.transgression(report) ?? found.kind
      decide(.watchdog, ["watchdog \(kind)"], by: "termination.code", tag)
      if found.isMainThread { switchToMainThread(report) }
      if found.code == Self.fileLock { switchToFileLockUser(report, classifier, &images) }
      switchToLockHolder(report)
      return true
    }
    // A thread of the app's own that ends the process when the main thread does not answer.
    if let index = Self.crashedIndex(of: report), let name = report.threads[index].name,
      name.utf8.count < 256, name.lowercased().contains("watchdog"),
      !(report.threads[index] == Self.mainThread(of: report).map { report.threads[$0] })
    {
      decide(.watchdog, ["watchdog"], by: "thread", name)
      switchToMainThread(report)
      return true
    }
    return false
  }

  /// The code of a process that was suspended while it held the lock of a file or a database.
  private static let fileLock: UInt64 = 0xDEAD_10CC

  /// The thread that works with files or a database, of a process that was suspended with a lock: the thread
  /// marked as crashed is arbitrary, mostly a main thread that waits for events.
  private mutating func switchToFileLockUser(
    _ report: CrashReport, _ classifier: FrameClassifier, _ images: inout ImageOwners
  ) {
    idleText = "file lock held while suspended"
    for (index, thread) in report.threads.enumerated() {
      let frames = classifier.classify(thread.frames[...], images: &images)
      guard
        let user = frames.first(where: {
          classifier.rules.fileLocks.match(NameBytes($0.token.utf8)) != nil
        })
      else { continue }
      isCrashedStack = false
      stack = thread.frames[...]
      stackName =
        "thread \(report.threads[index].index), which works with a file lock in \(user.token)"
      return
    }
  }

  /// The word before `watchdog transgression`: `scene-create`, `process-launch`.
  private static func transgression(_ report: CrashReport) -> String? {
    for text in [report.tags[.terminationReason], report.reason.message] {
      guard let text else { continue }
      let bytes = Scrubbing.scrub(text, limit: SigningLimits.messageBytes)
      guard let end = bytes.find(" watchdog transgression") else { continue }
      var start = end
      while start > 0, bytes[start - 1].isLetter || bytes[start - 1] == UInt8(ascii: "-") {
        start -= 1
      }
      if start < end { return Array(bytes[start..<end]).text }
    }
    return nil
  }
}
