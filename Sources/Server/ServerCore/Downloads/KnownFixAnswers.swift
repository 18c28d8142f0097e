package import APIDocuments
internal import CrashModel
internal import CrashService
package import CrashStore
internal import Files
package import HTTP
package import Identifiers
internal import Pipeline
internal import ReportDocument
internal import ServerStore
internal import Synchronization
package import Updates

/// The answers to a client that submitted a report: a release that fixes the crash, and whether a dump is
/// needed.
package struct KnownFixAnswers {
  private let context: ServerContext
  private let head: RequestHead

  /// The maximum number of a submission's reports that are considered.
  private static let mostReports = 10
  /// Seconds between two checks of a submission's state.
  private static let pause = 0.02
  /// The maximum number of waiting answers; others are given at once. Each holds one of the server's workers,
  /// which must also accept reports.
  private static let mostWaiting = 2
  private static let waiting = Atomic<Int>(0)

  package init(context: ServerContext, head: RequestHead) {
    self.context = context
    self.head = head
  }

  // MARK: Waiting

  /// The seconds the client wants to wait for the result of its report: `?wait=3`, or `Prefer: wait=3` (RFC
  /// 7240 4.3); `nil` if it does not.
  package var wait: Int? {
    if let asked = head.query["wait"] { return Int(asked).map { min($0, APILimits.longestWait) } }
    for preference in (head.headers["Prefer"] ?? "").split(separator: ",") {
      let name = preference.prefix { $0 != ";" }
      let parts = name.split(separator: "=")
        .map { $0.drop { $0 == " " } }
      guard parts.count == 2, parts[0].lowercased() == "wait", let seconds = Int(parts[1]) else {
        continue
      }
      return seconds > 0 ? min(seconds, APILimits.longestWait) : nil
    }
    return nil
  }

  /// Whether the client has a dump, and asks whether to send it: `?offers=dump`.
  package var offersDump: Bool { head.query["offers"] == SubmissionDocument.dump }

  /// The answer about a submission that the client waited for.
  package struct Answer {
    package var known: SubmissionDocument.KnownFix?
    /// The offered data that its groups lack; `nil` if the client did not ask.
    package var wants: [String]?
  }

  /// Returns the offered data that the groups of some reports lack.
  package static func wants(
    _ reports: [SubmissionDocument.Report], in store: CrashStore
  ) throws -> [String] {
    let lackDump = try store.reports.lackDump(reports.prefix(mostReports).map(\.id))
    return lackDump ? [SubmissionDocument.dump] : []
  }

  /// Returns the answer about a submission, once it is stored.
  ///
  /// - Parameter seconds: The maximum time to wait.
  /// - Returns: `nil` if there is no answer, or it took longer.
  package func answer(
    toSubmission id: String, within seconds: Int
  ) throws -> Answer? {
    // Without any known fix there is nothing to wait for.
    guard
      offersDump
        || context.updates.catalog.apps.values.contains(where: { !$0.knownFixes.isEmpty })
    else { return nil }
    defer { Self.waiting.subtract(1, ordering: .relaxed) }
    guard Self.waiting.add(1, ordering: .relaxed).oldValue < Self.mostWaiting else { return nil }
    for _ in 0..<max(1, Int(Double(seconds) / Self.pause)) {
      if let status = try context.queue.status(ofSubmission: id) {
        switch status.outcome {
        case .waiting: break
        case .stored(let verdict, _):
          let reports = try verdict.stored.flatMap { part in
            try context.store.reports.list(ofSubmission: part.digest, app: part.app).map {
              SubmissionDocument.Report(id: $0.report, app: part.app, group: $0.group)
            }
          }
          return try Answer(
            known: fix(of: reports),
            wants: offersDump ? Self.wants(reports, in: context.store) : nil)
        case .quarantined, .discarded: return nil
        }
      }
      SteadyClock.pause(seconds: Self.pause)
    }
    return nil
  }

  // MARK: The fix

  /// Returns the fix of the first of some reports that has one, and counts it.
  ///
  /// Reports don't identify their sender, so only public releases are considered.
  package func fix(
    of reports: [SubmissionDocument.Report]
  ) throws -> SubmissionDocument.KnownFix? {
    let names = Set(context.updates.catalog.apps.values.flatMap { $0.knownFixes.map(\.group) })
    guard reports.contains(where: { names.contains($0.group) }) else { return nil }
    // The group may have just regressed with this report.
    try context.updates.refresh()
    for report in reports.prefix(Self.mostReports) {
      guard let updates = context.updates.catalog.apps[report.app],
        updates.knownFixes.contains(where: { $0.group == report.group })
      else { continue }
      let stored = try context.store.reports.get(report.id).stored().report
      let release = Release(version: stored.app.version ?? "", build: stored.app.build ?? "")
      guard
        let found = updates.fix(
          ofGroup: report.group, for: release, audience: .anyone,
          on: Self.platforms(of: stored.os.name), installation: stored.install?.lowercased())
      else { continue }
      let artefact = found.offer.artefact
      try context.store.distribution.countKnownFix(
        in: artefact.release, of: report.app, .report, at: .now)
      return SubmissionDocument.KnownFix(
        group: report.group, fixedIn: found.fix.release.name, release: artefact.release.name,
        isMandatory: found.offer.isMandatory || updates.knownFixPolicy == .require,
        // A browser that opens a file for iOS cannot install it; from the page every system can.
        url: InstallPage.address(ofApp: report.app, for: head))
    }
    return nil
  }

  /// Returns the platforms whose files run on a report's system.
  private static func platforms(of system: String?) -> Set<ArtefactPlatform> {
    switch system?.lowercased() {
    case "ios", "ipados", "iphone os": [.iOS]
    case "android": [.android]
    case "macos", "mac os x", "os x": [.macOS]
    case "windows", "windows nt": [.windows]
    default: [.other]
    }
  }
}

/// Counts of fixes offered from memory; they are stored with the next maintenance.
package final class KnownFixCounter: Sendable {
  private struct Key: Hashable {
    let app: String
    let release: Release
    let way: CrashStore.Distribution.KnownFixWay
  }

  private let counts = Mutex<[Key: Int]>([:])

  package init() {}

  /// Counts an offer that contains a fix.
  package func count(_ offer: AppUpdates.Offer, _ way: CrashStore.Distribution.KnownFixWay) {
    guard offer.fix != nil else { return }
    let key = Key(app: offer.artefact.app, release: offer.artefact.release, way: way)
    counts.withLock { $0[key, default: 0] += 1 }
  }

  /// - Throws: `DatabaseError`; counts that could not be stored are tried again.
  package func store(in store: CrashStore, at now: Timestamp) throws {
    let taken = counts.withLock { counts in
      defer { counts = [:] }
      return counts
    }
    for (index, (key, count)) in taken.enumerated() {
      do {
        try store.distribution.countKnownFix(
          in: key.release, of: key.app, key.way, by: count, at: now)
      } catch StoreError.unknownApp {
        // The app was removed in the meantime.
        continue
      } catch {
        counts.withLock { counts in
          for (key, count) in taken.dropFirst(index) { counts[key, default: 0] += count }
        }
        throw error
      }
    }
  }
}
