internal import CrashModel
public import CrashStore
public import Grouping
internal import Identifiers
internal import Scrubbing
internal import Symbolication
public import Workers

/// Signs the reports of an app by other rules, without changing anything.
public struct RulePreviewer: Sendable {
  private let store: CrashStore
  private let signer: Signer
  private let width: Int

  private static let batch = 512

  public init(in store: CrashStore, rules: GroupingRules, width: Int = Workers.processorCount) {
    self.store = store
    signer = Signer(rules: rules)
    self.width = width
  }

  /// - Parameter progress: Called with the number of signed reports.
  /// - Throws: ``StoreError/notFound(_:)`` for an unknown app; the store's error.
  public func run(_ app: String, progress: (_ done: Int) -> Void = { _ in }) throws -> RulePreview {
    let reprocessor = ReprocessingWorker(
      in: store,
      symbolicators: try StoredSymbolicators(
        in: store, pool: SymbolCachePool(folder: store.caches)
      ).choice, signer: signer, scrubber: try Scrubber(of: store.settings))
    var tally = RulePreview.GroupMove()
    var row = 0
    var done = 0
    while true {
      let members = try store.rules.members(of: app, after: row, limit: Self.batch)
      guard let last = members.last else { break }
      let signatures = try Workers.map(count: members.count, width: width) { index in
        Result { () -> (signature: Signature, build: Release)? in
          guard !members[index].isHeld else { return nil }
          let record = try self.store.reports.get(members[index].report)
          return try reprocessor.signature(of: record, by: self.signer).map {
            ($0, Release(version: record.summary.version ?? "", build: record.summary.build ?? ""))
          }
        }
      }.map { try $0.get() }
      for (member, signature) in zip(members, signatures) {
        if let (signature, build) = signature {
          tally.add(signature, of: build, group: member.group, title: member.title)
        } else {
          tally.hold(group: member.group, title: member.title)
        }
      }
      row = last.row
      done += members.count
      progress(done)
    }
    return tally.preview()
  }
}
