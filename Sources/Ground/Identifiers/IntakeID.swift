/// The identity of a submission from its acknowledgement to the store, however often it is worked on: 16 bytes
/// that no other submission has. Two arrivals of the same bytes have two.
public struct IntakeID: Hashable, Sendable {
  public let bytes: [UInt8]

  /// - Parameter bytes: As they were stored; any others are an identity as well.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }
}
