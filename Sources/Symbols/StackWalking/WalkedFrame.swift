internal import CrashModel
internal import UnwindRules

/// A frame while its caller is looked for.
struct WalkedFrame {
  var registers: WalkedRegisters
  var trust: FrameTrust
  /// Whether the program counter is an instruction itself: of the youngest frame, and of one that a
  /// signal interrupted.
  var isInterrupted = false
  /// Whether the frame is the code that ends a signal handler. Its address is an instruction too: nothing
  /// called it.
  var isTrampoline = false
  /// Whether the function below was put onto the stack without a call, as Go's runtime does with `sigpanic`: the
  /// address is that of the instruction which failed.
  var isInjected = false
  /// Bytes of arguments that the function below takes off this frame's stack.
  var parameterBytes: UInt64 = 0

  /// How many frames of the chain of frame pointers led here.
  var chainLength = 0

  /// The rules of the call, where they were met before; only of an image with one file of rules.
  var call: (image: Int, offset: UInt32, row: UnwindRow)?

  /// Whether the program counter is the instruction that is looked up.
  var isExact: Bool { trust == .context || isInterrupted || isTrampoline || isInjected }
  /// Whether the function may be at any of its instructions, not only at a call.
  var isAnywhere: Bool { trust == .context || isInterrupted }
  var position: CodePosition { isExact ? .exact : .returnAddress }
}

/// The result of one way to find a caller that writes it to a place of the walk's: frames are large.
enum CallerFinding { case found, unknown, end }

/// The result of one way to find a caller.
enum CallerSearch {
  case found(WalkedFrame)
  case unknown
  /// There is no caller: the stack is complete.
  case end
}
