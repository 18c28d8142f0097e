internal import Bytes
internal import CrashModel
package import CrashStore
internal import Hashing
internal import Pipeline
internal import Scrubbing
package import ServerStore

/// Everything of a user or an installation, taken out of a home: what waits to be stored first, then
/// what is stored.
package struct Erasure {
  package struct Result {
    package var stored = ErasureCount()
    /// Submissions that waited to be stored, or were quarantined.
    package var queued = 0
    /// Others that are not stored yet: what is in them goes when they are.
    package var pending = 0

    /// What went, in words.
    package var parts: [(String, Int)] {
      [
        ("reports", stored.reports), ("submissions", stored.submissions),
        ("attachments", stored.attachments), ("sessions", stored.sessions),
        ("events", stored.events), ("attachments that wait", stored.orphans),
        ("submissions that wait", queued),
      ]
    }

    package init(stored: ErasureCount = ErasureCount(), queued: Int = 0, pending: Int = 0) {
      self.stored = stored
      self.queued = queued
      self.pending = pending
    }
  }

  private let subject: ErasureSubject
  /// The spellings of the name.
  private let names: [String]
  private let kind: QueuedErasure.Kind
  /// What the audit log calls it: nobody learns from it who it was.
  package let mark: String

  /// - Throws: `ScrubError` for rules of the home that cannot be understood.
  package init(user: String?, install: String?, in store: CrashStore) throws {
    let id = user ?? install ?? ""
    // With a number of the home in it: of a plain digest of an address, everybody could try addresses.
    let keyed = try store.auditKey() + "\n" + id
    mark =
      (user == nil ? "installation " : "user ") + SHA256.hex(of: ByteView(keyed.utf8)).prefix(16)
    if let user {
      let scrubbed = try Scrubber(home: store.home).user(user)
      names = scrubbed == user ? [user] : [user, scrubbed]
      kind = .user
      subject = .user(names)
    } else {
      let other = AppCenterIntake.canonicalID(id)
      names = other == id ? [id] : [id, other]
      kind = .install
      subject = .install(names)
    }
  }

  package func run(in store: CrashStore, _ queue: IntakeQueue, isDry: Bool) throws -> Result {
    var result = Result()
    // First: what is stored from now on is looked at by who files it, what was stored before is below.
    let (pending, mark, span): (Int, Int, ErasureSpan)
    if isDry {
      (pending, mark, span) = (try queue.pendingCount(), .max, .everything)
    } else {
      let asked = try queue.erase(kind, named: names)
      (pending, mark, span) = (asked.pending, asked.mark, .asked(at: asked.time))
    }
    if kind == .install {
      result.queued = try queue.erase(upTo: mark, isDry: isDry) {
        QueuedErasure.names(names, meanInstallOf: $0)
      }
    }
    result.pending = max(0, pending - result.queued)
    result.stored = try store.retention.erase(subject, at: .now, span, isDry: isDry)
    // Logs of which all is stored hold what was.
    if !isDry { try queue.reclaim() }
    return result
  }
}
