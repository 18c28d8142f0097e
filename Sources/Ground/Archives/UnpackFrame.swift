/// A message of the unpacking process on its pipe.
///
///     OFFSET  SIZE  FIELD
///          0     1  kind
///          1     4  number of bytes that follow, little-endian, at most `UnpackFrame.limit`
///          5        payload
///
/// The order is: `hello`; for each member `member`, any number of `data`, then `end` or `refused`;
/// at last `done`, or `damaged` when the rest of the archive cannot be read. A stream that ends in
/// another way was cut off by the death of its writer.
enum UnpackFrame: UInt8 {
  /// The SANDBOX_ bits in force, one byte.
  case hello = 1
  /// One byte, 1 when the archive is a single compressed file; then the name, at most
  /// `UnpackFrame.nameLimit` bytes.
  case member
  /// Bytes of the member.
  case data
  /// The member is complete.
  case end
  /// The member is not to be had: one byte of `UnpackRefusal`, then words.
  case refused
  /// Nothing more is to be had: words.
  case damaged
  /// All members were read.
  case done

  /// The most bytes of a payload.
  static let limit = 1 << 16
  /// The most bytes of a member's name.
  static let nameLimit = 4096
  static let headerSize = 5
}

/// Why the unpacking process leaves a member out.
enum UnpackRefusal: UInt8 {
  case tooLarge = 1
  case damaged
  case encrypted
}
