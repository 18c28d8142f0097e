internal import Bytes
package import CrashStore
internal import Crypto
internal import Pipeline
internal import Scrubbing
package import ServerStore

/// The person whose data is erased.
package enum ErasedPerson: Hashable, Sendable {
  /// The user's id in reports.
  case user(String)
  /// The installation's id in reports.
  case install(String)
}

/// Erases all data of a user or an installation from a home: waiting submissions first, then stored data.
package struct Erasure {
  package struct Result {
    package var stored = ErasureCount()
    /// Deleted submissions that waited to be stored or were quarantined.
    package var queued = 0
    /// Further waiting submissions: matching data in them is erased when they are stored.
    package var pending = 0

    /// The erased items by kind.
    package var parts: [(String, Int)] {
      [
        ("reports", stored.reports), ("submissions", stored.submissions),
        ("attachments", stored.attachments), ("sessions", stored.sessions),
        ("events", stored.events), ("waiting attachments", stored.orphans),
        ("waiting submissions", queued),
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
  /// The pseudonym in the audit log, which does not reveal the person.
  package let mark: String

  /// - Throws: `ScrubError` for invalid rules in the home.
  package init(_ person: ErasedPerson, in store: CrashStore) throws {
    let (user, install): (String?, String?) =
      switch person {
      case .user(let id): (id, nil)
      case .install(let id): (nil, id)
      }
    let id = user ?? install ?? ""
    // Includes a secret number of the home: a plain digest of an address could be found by trying addresses.
    let keyed = try store.auditKey() + "\n" + id
    mark =
      (user == nil ? "installation " : "user ") + SHA256.hex(of: ByteView(keyed.utf8)).prefix(16)
    if let user {
      let scrubbed = try Scrubber(of: store.settings).user(user)
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
    // First the queue: data stored from now on is checked by the worker, data stored before is erased below.
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
    // Fully processed log files still contain the data.
    if !isDry { try queue.reclaim() }
    return result
  }
}
