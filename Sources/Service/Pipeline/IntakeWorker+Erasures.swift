internal import CrashStore
internal import Scrubbing
public import ServerStore

/// Erasures of users whose submissions waited in the queue.
extension IntakeWorker {
  /// Deletes submissions that were accepted before an erasure and name the erased user or
  /// installation.
  ///
  /// - Returns: The remaining submissions.
  func withoutErased(_ records: [QueuedRecord]) throws -> [QueuedRecord] {
    let erasures = try queue.erasures()
    guard !erasures.isEmpty else { return records }
    let erased = records.filter { record in
      erasures.contains { record.id <= $0.mark && $0.isMeant(record.record.facts) }
    }
    guard !erased.isEmpty else { return records }
    try queue.erase(erased)
    let ids = Set(erased.map(\.id))
    return records.filter { !ids.contains($0.id) }
  }

  /// Erases the just stored data of a user who was erased after it was accepted. If the process is killed
  /// before, it is stored again, which changes nothing, and then erased.
  func eraseStored(_ records: [QueuedRecord]) throws {
    guard let first = records.map(\.id).min() else { return }
    for erasure in try queue.erasures() where first <= erasure.mark {
      let names =
        switch erasure.kind {
        case .user: Array(Set([erasure.name, scrubber.user(erasure.name)]))
        case .install: [erasure.name]
        }
      _ = try store.retention.erase(
        erasure.kind == .user ? .user(names) : .install(names), at: CrashStore.now,
        .until(erasure.time))
    }
  }
}

extension QueuedErasure {
  /// Whether the facts of a submission name the erased user or installation.
  public func isMeant(_ facts: [String: String]) -> Bool {
    kind == .install && Self.names([name], meanInstallOf: facts)
  }

  /// Whether the facts of a submission name an installation.
  public static func names(_ names: [String], meanInstallOf facts: [String: String]) -> Bool {
    guard let install = facts[IntakeFact.install] else { return false }
    return names.contains(install) || names.contains(AppCenterIntake.canonicalID(install))
  }
}
