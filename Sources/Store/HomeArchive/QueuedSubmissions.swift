internal import Bytes
internal import CrashStore
internal import Crypto
internal import ServerStore

/// A snapshot of a queue, in an unnamed file until it is written to an archive: meanwhile the queue
/// continues and forgets stored submissions.
final class QueuedSubmissions {
  private let file: ScratchFile
  /// Lengths of the parts of each submission, in the order of arrival.
  private var lengths: [(id: Int, facts: Int, body: Int)] = []
  private(set) var contents = ArchiveManifest.Contents()
  /// Number of them that are quarantined.
  private(set) var quarantined = 0

  /// - Parameter folder: A folder with space for all of them.
  /// - Throws: `FileError`, and what ``IntakeQueue/forEachQueued(_:)`` throws.
  init(of queue: IntakeQueue, keepingIn folder: String) throws {
    let file = try ScratchFile(in: folder)
    self.file = file
    var lengths: [(id: Int, facts: Int, body: Int)] = []
    var quarantined = 0
    let digests = DigestChain()
    try queue.forEachQueued { submission, body in
      let facts = ByteView(
        submission.document(ofBody: body.count, digest: SHA256.hex(of: body)))
      digests.add(SHA256.digest(of: facts))
      if submission.isQuarantined { quarantined += 1 }
      lengths.append(
        (submission.id, try file.append(facts).count, try file.append(body).count))
    }
    self.lengths = lengths
    self.quarantined = quarantined
    contents.count = lengths.count
    contents.digest = digests.take()
  }

  /// Passes each member to `body`.
  func forEach(_ body: (_ name: String, _ bytes: ByteView) throws -> Void) throws {
    var offset = 0
    for (id, facts, count) in lengths {
      let names = ArchiveNames.submission(id)
      for (name, length) in [(names.facts, facts), (names.body, count)] {
        try body(name, try file.bytes(offset..<offset + length))
        offset += length
      }
    }
  }
}
