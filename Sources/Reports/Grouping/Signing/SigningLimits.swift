/// Every limit of the first rule version.
enum SigningLimits {
  /// Frames of a stack that are looked at, from the top.
  static let frames = 1024
  /// Bytes of a name that are looked at.
  static let nameBytes = 4096
  /// Bytes of a normalised name.
  static let tokenBytes = 300
  /// Bytes of a release that stands for the build of an image.
  static let releaseBytes = 64
  /// Locations in images of a release that stand for the functions above which an error was reported.
  static let handledLocations = 4
  /// Bytes of a message that are looked at.
  static let messageBytes = 4096
  /// Bytes of a message with its parameters taken out.
  static let messageText = 120
  /// How far after the start of a function an address may lie. Beyond, the name is that of the nearest
  /// symbol that a stripped file has left, not the function's.
  static let symbolBytes: UInt64 = 1 << 20
  /// Tokens in a signature.
  static let tokens = 4
  /// Platform functions in a signature.
  static let systemTokens = 2
  /// Functions of the app in a signature, where the first ones hand on to the next.
  static let appTokens = 3
  /// Modules in a signature without any function.
  static let moduleTokens = 3
  /// A request of this many bytes or fewer that fails says that memory was gone, not who took it.
  static let smallAllocation: UInt64 = 256 * 1024
  /// A fault that lies this many bytes below the stack pointer, or above it, is the stack's end.
  static let stackBelow: UInt64 = 64 * 1024
  static let stackAbove: UInt64 = 1024 * 1024
  /// Frames of a recursion that used the stack up, when nothing but its depth says so: backtracers
  /// that cut a stack keep 64. And how many frames may stand above it.
  static let deepRecursion = 40
  static let framesAboveRecursion = 16
  /// Exceptions of a chain that are looked at, and stacks to choose from.
  static let causes = 64
  /// Names that a signer remembers, and the longest of them in bytes.
  static let rememberedNames = 1 << 16
  static let rememberedNameBytes = 1024
  /// How deep exceptions inside exceptions are marked.
  static let markedCauses = 24
}
