internal import Files
public import CrashInput
internal import Bytes
public import CrashModel
internal import Glibc
public import Watching

extension Ingest {
  /// The maximum number of reasons shown per archive.
  private static let reasons = 100

  /// Stores files of watched folders.
  ///
  /// - Parameters:
  ///   - watcher: The source of the units.
  ///   - walker: The reader of the files, with its limits.
  ///   - received: The time recorded for all of them.
  /// - Returns: The result, with the outcome of each file, which is on disk by then.
  /// - Throws: The store's error, such as on a full disk; what was stored before stays stored.
  public func run(
    _ units: [WaitingUnit], from watcher: FolderWatcher, walker: InputWalker = InputWalker(),
    received: Timestamp
  ) throws -> (result: IngestResult, outcomes: [UnitOutcome]) {
    let files = units.flatMap { [$0.file] + $0.companions }
    let owners = units.flatMap { unit in
      [nil] + unit.companions.map { _ in unit.file.path as String? }
    }
    var found: [[FileOutcome]] = Array(repeating: [], count: files.count)
    var events = IngestEvents()
    events.became = { found[$0].append($1) }
    let result = try run(received: received, events: events) { bring in
      for (index, file) in files.enumerated() {
        let companion = owners[index].flatMap { owner in
          file.attachment.map { Companion(of: owner, called: $0.name, isAttachment: $0.isInFolder) }
        }
        do throws(FileError) {
          let opened = try watcher.open(file)
          let step = walker.read(
            opened.number, named: file.path, ordinal: index, companion: companion, body: bring)
          if step == .stop { return }
        } catch {
          // Deleted, or a link by now: then it is another file, if any.
          if [ENOENT, ELOOP, ENOTDIR].contains(error.code) { continue }
          let failure = InputFile(
            path: file.path, content: .failure(.file(error)), ordinal: index,
            companion: companion)
          if bring(failure) == .stop { return }
        }
      }
    }
    var index = 0
    let outcomes = units.map { unit in
      let first = index
      index += 1 + unit.companions.count
      return UnitOutcome(
        unit: unit, file: Self.outcome(found[first]),
        companions: found[(first + 1)..<index].map(Self.outcome))
    }
    return (result, outcomes)
  }

  /// Returns the outcome of a file on disk from those of its members. Unreadable members of an archive are
  /// reported; members of other kinds are not, if there were reports.
  private static func outcome(_ outcomes: [FileOutcome]) -> WatchedOutcome {
    guard !outcomes.isEmpty else { return .gone }
    var reasons: [String] = []
    var isTaken = false
    var isUnread = false
    for outcome in outcomes {
      switch outcome {
      case .stored: isTaken = true
      case .attached:
        if outcomes.count == 1 { return .attached }
        isTaken = true
      case .refused(let reason, let isForeign):
        isUnread = isUnread || !isForeign
        if reasons.count < Self.reasons { reasons.append(reason) }
      }
    }
    return isTaken && !isUnread ? .stored : .refused(reasons.joined(separator: "\n"))
  }
}
