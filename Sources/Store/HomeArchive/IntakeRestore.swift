internal import Bytes
internal import Crypto
internal import ServerStore

/// Restores the unstored submissions of an archive into the queue of a new home: for each, first
/// its description, then its bytes.
final class IntakeRestore {
  private let home: String
  private var loader: IntakeLoader?
  /// The description of the submission whose bytes come next.
  private var next: (submission: ArchivedSubmission, count: Int, digest: String)?
  private let digests = DigestChain()
  /// Number of submissions received, including the one whose bytes come next.
  private(set) var count = 0
  /// Number of them that are quarantined.
  private(set) var quarantined = 0

  var awaitsBody: Bool { next != nil }

  init(_ home: String) { self.home = home }

  func take(_ name: String, _ bytes: ByteView) throws {
    guard let next else { return try begin(name, bytes) }
    self.next = nil
    let names = ArchiveNames.submission(next.submission.id)
    guard name == names.body else {
      throw HomeArchiveError.damaged("\(name) instead of \(names.body)")
    }
    guard bytes.count == next.count, SHA256.hex(of: bytes) == next.digest else {
      throw HomeArchiveError.damaged("\(name) does not match \(names.facts)")
    }
    let loader = try self.loader ?? IntakeLoader(into: home)
    self.loader = loader
    guard try loader.add(next.submission, body: bytes) else {
      throw HomeArchiveError.damaged("\(name) is repeated or out of order")
    }
  }

  private func begin(_ name: String, _ bytes: ByteView) throws {
    guard let read = ArchivedSubmission.read(bytes),
      name == ArchiveNames.submission(read.submission.id).facts
    else { throw HomeArchiveError.damaged("\(name) is not a submission") }
    digests.add(SHA256.digest(of: bytes))
    count += 1
    if read.submission.isQuarantined { quarantined += 1 }
    next = read
  }

  /// - Parameter promised: The manifest's figures.
  func finish(_ promised: ArchiveManifest.Contents) throws {
    guard count == promised.count, next == nil else {
      throw HomeArchiveError.damaged("\(count) submissions instead of \(promised.count)")
    }
    guard digests.take() == promised.digest else {
      throw HomeArchiveError.damaged("the submissions do not match the manifest")
    }
    try loader?.finish()
    loader = nil
  }
}
