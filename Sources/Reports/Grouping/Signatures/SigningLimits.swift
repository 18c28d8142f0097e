/// Every limit of the rules.
enum SigningLimits {
  /// Frames of a stack that are examined, from the top.
  static let frames = 1024
  /// Bytes of a name that are read.
  static let nameBytes = 4096
  /// Bytes of a normalised name.
  static let tokenBytes = 300
  /// Bytes of a release that replaces the build of an image.
  static let releaseBytes = 64
  /// Locations in images of a release that replace the functions below the report of an error.
  static let handledLocations = 4
  /// Bytes of a message that are read.
  static let messageBytes = 4096
  /// Bytes of a message without its parameters.
  static let messageText = 120
  /// The longest distance of an address from the start of its function. Beyond it, the name is that of the
  /// nearest symbol left in a stripped file, not the function's.
  static let symbolBytes: UInt64 = 1 << 20
  /// Tokens in a signature.
  static let tokens = 4
  /// Platform functions in a signature.
  static let systemTokens = 2
  /// Functions of the app in a signature, where the first ones forward to the next.
  static let appTokens = 3
  /// Modules in a signature without any function.
  static let moduleTokens = 2
  /// Modules of runtimes in a signature without anything else.
  static let runtimeTokens = 3
  /// A failed request of at most this many bytes means that memory was exhausted, not who used it.
  static let smallAllocation: UInt64 = 256 * 1024
  /// A fault within this many bytes below or above the stack pointer is the end of the stack.
  static let stackBelow: UInt64 = 64 * 1024
  static let stackAbove: UInt64 = 1024 * 1024
  /// Frames of a recursion that overflowed the stack, if only its depth shows it: backtracers that truncate a
  /// stack keep 64. And the number of frames that may be above it.
  static let deepRecursion = 40
  static let framesAboveRecursion = 16
  /// Exceptions of a chain that are examined, and stacks to choose from.
  static let causes = 64
  /// Names that a signer caches, and the longest of them in bytes.
  static let rememberedNames = 1 << 16
  static let rememberedNameBytes = 1024
  /// The depth to which nested exceptions are marked.
  static let markedCauses = 24
}
