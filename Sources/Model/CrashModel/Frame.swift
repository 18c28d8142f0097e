public import Identifiers

/// One call on a stack.
///
/// Frames are listed youngest first. An inlined call comes before the frame it was inlined into and shares
/// its address.
public struct Frame: Hashable, Sendable {
  /// The address as the report gives it; `nil` when it gives only an offset into an image.
  public var address: Address?
  /// The code that ``address`` and ``imageOffset`` point at.
  public var position: CodePosition
  /// Index into the report's images.
  public var image: Int?
  /// The address as an offset into the image, also unadjusted.
  public var imageOffset: ImageOffset?
  /// The function's name for display: demangled.
  public var function: String?
  /// The name as the symbol table or the debug information has it, where it differs.
  public var symbol: String?
  /// Bytes from the start of the function to the address.
  public var symbolOffset: UInt64?
  /// The length of the function in bytes, where the report gives it: it distinguishes functions of the same
  /// name.
  public var symbolSize: UInt64?
  /// The source file, as the debug information or the report spells it.
  public var file: String?
  /// 1-based; `nil` where unknown. A compiler-generated instruction has none.
  public var line: Int?
  /// 1-based; `nil` where unknown.
  public var column: Int?
  /// The source around the line, where it was requested.
  public var source: SourceExcerpt?
  public var inlined: Bool
  /// Whether the frame is the app's own code; `nil` while undecided.
  public var inApp: Bool?
  public var trust: FrameTrust
  /// The known registers of a caller, where its stack was walked; those of a thread's first frame are
  /// ``CrashThread/registers``.
  public var registers: [Register] = []

  public init(
    address: Address? = nil, position: CodePosition, image: Int? = nil,
    imageOffset: ImageOffset? = nil, function: String? = nil, symbol: String? = nil,
    symbolOffset: UInt64? = nil, file: String? = nil, line: Int? = nil, column: Int? = nil,
    inlined: Bool = false, inApp: Bool? = nil, trust: FrameTrust = .given
  ) {
    self.address = address
    self.position = position
    self.image = image
    self.imageOffset = imageOffset
    self.function = function
    self.symbol = symbol
    self.symbolOffset = symbolOffset
    self.file = file
    self.line = line
    self.column = column
    self.inlined = inlined
    self.inApp = inApp
    self.trust = trust
  }
}

/// The code that a frame's address points at, which determines the address that is looked up for it.
///
/// A call returns to the instruction after it, which may belong to another line, another inlined call or,
/// after a call that never returns, another function. Only this type handles the difference; each format just
/// names the one of the three that it uses.
public enum CodePosition: String, Hashable, Sendable, CaseIterable {
  /// The instruction itself: a program counter, or a resume point.
  case exact
  /// The instruction after the call, as it was on the stack.
  case returnAddress = "return"
  /// An address inside the call: the writer of the report has already adjusted the return address.
  case adjusted

  /// The offset to look up for a frame whose offset is `offset`.
  public func lookUp(_ offset: ImageOffset) -> ImageOffset {
    switch self {
    case .exact, .adjusted: offset
    case .returnAddress: ImageOffset(offset.value == 0 ? 0 : offset.value - 1)
    }
  }

  /// The address to look up for a frame whose address is `address`.
  public func lookUp(_ address: Address) -> Address {
    Address(lookUp(ImageOffset(address.value)).value)
  }
}

/// The method by which a frame was found.
public enum FrameTrust: String, Hashable, Sendable, CaseIterable {
  /// The program counter of the thread.
  case context
  /// Call-frame information.
  case callFrameInformation = "cfi"
  /// The chain of frame pointers.
  case framePointer = "frame_pointer"
  /// The context of a Swift task: the function waits for the frame before it, and is not on the stack.
  case asyncContext = "async_context"
  /// A scan of the stack's memory for return addresses.
  case scan
  /// The report itself.
  case given
  /// Expanded from the debug information of the frame below.
  case inline
}
