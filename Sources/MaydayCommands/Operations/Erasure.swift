import Bytes
import CrashModel
import CrashStore
import Glibc
import Hashing
import JSON
import Pipeline
import Scrubbing
import ServerStore

/// Everything of a user or an installation, taken out of a home: what waits to be filed first, then
/// what is filed.
struct Erasure {
  struct Result {
    var stored = ErasureCount()
    /// Submissions that waited to be filed, or were set aside.
    var queued = 0
    /// Such as a worker has in hand, and goes on to file.
    var inWork = 0

    /// What went, in words.
    var parts: [(String, Int)] {
      [
        ("reports", stored.reports), ("submissions", stored.submissions),
        ("attachments", stored.attachments), ("sessions", stored.sessions),
        ("events", stored.events), ("attachments that wait", stored.orphans),
        ("submissions that wait", queued),
      ]
    }
  }

  /// How often it looks for what a worker has in hand, and microseconds in between.
  private static let looks = 40
  private static let pause: UInt32 = 250_000

  private let subject: ErasureSubject
  /// The spellings of the installation; none for a user.
  private let installs: [String]
  /// What the audit log calls it: nobody learns from it who it was.
  let mark: String

  /// - Throws: `ScrubError` for rules of the home that cannot be understood.
  init(user: String?, install: String?, in store: CrashStore) throws {
    let id = user ?? install ?? ""
    mark =
      (user == nil ? "installation " : "user ") + SHA256.hex(of: ByteView(id.utf8)).prefix(16)
    if let user {
      let scrubbed = try Scrubber(home: store.home).user(user)
      subject = .user(scrubbed == user ? [user] : [user, scrubbed])
      installs = []
    } else {
      let other = AppCenterIntake.canonicalID(id)
      installs = other == id ? [id] : [id, other]
      subject = .install(installs)
    }
  }

  func run(in store: CrashStore, _ queue: IntakeQueue, isDry: Bool) throws -> Result {
    var result = Result()
    if !installs.isEmpty {
      for look in 0..<(isDry ? 1 : Self.looks) {
        // What a worker has in hand is filed in a moment, and then erased with the rest.
        if look > 0 { usleep(Self.pause) }
        let (erased, inWork) = try queue.erase(isDry: isDry) { facts in
          guard let install = facts[IntakeFact.install] else { return false }
          return installs.contains(install)
            || installs.contains(AppCenterIntake.canonicalID(install))
        }
        result.queued += erased
        result.inWork = inWork
        if inWork == 0 { break }
      }
    }
    result.stored = try store.erase(subject, at: .now, isDry: isDry)
    return result
  }
}

extension JSONWriter {
  mutating func write(_ result: Erasure.Result, isDry: Bool) {
    beginObject()
    member("dry_run", isDry)
    member("reports", result.stored.reports)
    member("submissions", result.stored.submissions)
    member("bytes", result.stored.bytes)
    member("attachments", result.stored.attachments)
    member("sessions", result.stored.sessions)
    member("events", result.stored.events)
    member("client_reports", result.stored.clientReports)
    member("waiting_attachments", result.stored.orphans)
    member("queued", result.queued)
    member("in_work", result.inWork)
    member("groups", result.stored.groups)
    endObject()
  }
}
