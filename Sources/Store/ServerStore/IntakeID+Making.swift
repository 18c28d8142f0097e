internal import Bytes
internal import Crypto
internal import Identifiers

extension IntakeID {
  /// The identity of the submission whose body is at `offset` in a log: no other ever is, as logs only grow and
  /// no two have one name. Read again, it is the same.
  init(log: String, offset: Int) {
    self.init(Array(SHA256.digest(of: ByteView("\(log):\(offset)".utf8)).prefix(Self.length)))
  }

  /// A new identity, for a submission that came without one.
  static func random() -> IntakeID { IntakeID(RandomBytes.make(length)) }

  private static let length = 16
}
