public import Bytes

/// The object files that a program for Apple systems was linked from: the debug information stays
/// in those, and this map gives the address of each function.
///
/// `dsymutil` builds a dSYM from the same map.
public struct DebugMap: Sendable {
  /// The location where the linker put a function.
  public struct Function: Sendable {
    /// The offset of the name in ``DebugMap/names``, in bytes, and its length; without the
    /// underscore that C adds before it.
    let nameOffset: UInt32
    let nameCount: UInt32
    /// The linked address, without the Thumb bit.
    public let address: UInt64
    /// In bytes; 0 where the map does not give it.
    public let size: UInt64
  }

  /// An object file that functions came from.
  public struct Object: Sendable {
    let pathOffset: UInt32
    let pathCount: UInt32
    /// When the file was last written, in seconds since 1970; 0 where the map does not give it.
    public let modified: UInt64
    public var functions: [Function] = []
  }

  /// The string table of the program.
  let names: ByteView
  /// The objects with functions, in the order of the map.
  public let objects: [Object]

  /// The name of `function` in bytes.
  public func name(of function: Function) -> ByteView {
    let start = Int(function.nameOffset)
    return names.clamped(start..<(start + Int(function.nameCount)))
  }

  /// The path that the linker read: of a file, or of a library and its member (`lib.a(part.o)`).
  public func path(of object: Object) -> String {
    let start = Int(object.pathOffset)
    return names.clamped(start..<(start + Int(object.pathCount))).text
  }
}
