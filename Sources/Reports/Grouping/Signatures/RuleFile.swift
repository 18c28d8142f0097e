internal import Bytes
internal import CrashModel

/// The compiled lists of a version of the rules, which are part of the program and read in place: opening them
/// costs nothing, and what no report asks for is never read.
///
/// All numbers are little-endian, all offsets count from the start of the file.
///
///     OFFSET  SIZE  FIELD
///          0     8  "mayrules"
///          8     2  version of this layout: 1
///         10     2  number of lists
///         12     4  number of tables, as ``Table`` has them
///         16    32  SHA-256 of version and lists, the digest of the rules
///         48    16  of each list: offset and length of its name, offset and length of its text
///                44  of each table: offset and number of its rules; offset and number of the slots for rules
///                    without a wildcard, a power of two or 0; offsets of the nodes of the tree, of their
///                    rules, of the index by first byte; offsets of the index by last byte and of its rules;
///                    offset and number of the open rules
///
/// A rule, in the order of its table:
///
///          0     4  offset of its pattern, which lies in its list's text
///          4     1  length of the pattern
///          5     1  bytes before the first wildcard
///          6     1  ``NamePattern/Shape``
///          7     1  number of its list
///          8     2  number of its line
///         10     1  its class: 0 for none, or 1 and the place in ``classes``
///         11     1  ``Options``
///         12     1  its origin of images: 0 for none, or 1 and the place in ``origins``
///         13     1  length of the pattern of its module, 0 for none
///         14     2  distance from the pattern to the one of its module
///
/// A slot has the upper 16 bits of the hash of a rule's text, and in its lower half the rule and 1; 0 is empty.
/// A rule is in the first free slot from the one that the hash gives.
///
/// The tree has the beginnings of patterns up to their first wildcard. A node, of which the first is the root,
/// adds one or more bytes to its parent's:
///
///          0     4  offset of these bytes
///          4     1  their number
///          5     1  number of children, which are adjacent
///          6     2  the first child
///          8     2  the first of its rules, among those of the tree: their beginnings end here
///         10     1  number of its rules
///         11     1  the first of its bytes
///
/// The index by first byte has a node of two bytes for each value, 0 for none. The index by last byte has for
/// each value where its rules begin, and one more for the end; rules are numbers of two bytes. An open rule
/// begins and ends with a wildcard: eight bytes for the bytes that a name must have, and the rule.
///
/// Version 1 is the first.
struct RuleFile: Sendable {
  enum Table: Int, CaseIterable, Sendable {
    case classes, handled, idle, memory, extend, images, libraries, runtimes, messages, tests,
      fileLocks, crumbs, packages, swiftTypes, swiftMembers, swiftFunctions
  }

  struct Options: OptionSet, Sendable {
    let rawValue: UInt8
    static let above = Options(rawValue: 1)
    static let bottom = Options(rawValue: 2)
    static let notApp = Options(rawValue: 4)
    static let entry = Options(rawValue: 8)
    static let scripts = Options(rawValue: 16)
  }

  static let magic = NameBytes("mayrules".utf8)
  static let layout = 1
  static let headerSize = 48
  static let listSize = 16
  static let tableSize = 44
  static let ruleSize = 16
  static let slotSize = 4
  static let nodeSize = 12
  static let openSize = 10

  static let classes: [FrameClass] = [.death, .base, .glue, .system, .unknown, .app, .void]
  static let origins: [ImageOrigin] = [.app, .system, .platform, .package, .undecided]

  let view: ByteView

  /// - Parameter view: What ``RuleCompiler`` made: the file is part of the program, and another is a bug.
  init(_ view: ByteView) {
    let magic = Self.magic
    precondition(
      view.count > Self.headerSize && magic.indices.allSatisfy { view[$0] == magic[$0] },
      "the bytes are not compiled rules")
    precondition(
      view.bytes.short(8) == Self.layout, "the compiled rules have another layout")
    self.view = view
  }

  private var listCount: Int { view.bytes.short(10) }

  /// The SHA-256 of version and lists.
  var digest: [UInt8] { view.clamped(16..<48).array }

  /// The lines of a list, without the end of the last one.
  func text(of list: Int) -> String { text(at: Self.position(of: list) + 8, leaving: 1) }

  /// List and line: `death.rules:12`.
  func id(list: Int, line: Int) -> String { "\(text(at: Self.position(of: list))):\(line)" }

  private static func position(of list: Int) -> Int { headerSize + list * listSize }

  /// The text whose offset and length are at `entry`, without the last `left` bytes.
  private func text(at entry: Int, leaving left: Int = 0) -> String {
    let start = view.bytes.word(entry)
    return view.clamped(start..<start + view.bytes.word(entry + 4) - left).text
  }

  /// Where the offsets of a table are.
  func position(of table: Table) -> Int {
    Self.headerSize + listCount * Self.listSize + table.rawValue * Self.tableSize
  }
}

/// One rule of a table.
struct CompiledRule: Sendable {
  private let file: RuleFile
  private let position: Int

  init(_ file: RuleFile, at position: Int) {
    self.file = file
    self.position = position
  }

  private func byte(_ offset: Int) -> UInt8 { file.view.bytes.byte(position + offset) }
  private func short(_ offset: Int) -> Int { file.view.bytes.short(position + offset) }

  /// List and line: `death.rules:12`.
  var id: String { file.id(list: Int(byte(7)), line: short(8)) }

  var name: RuleName { RuleName(id) }

  var frameClass: FrameClass? {
    let code = byte(10)
    return code == 0 ? nil : RuleFile.classes[Int(code) - 1]
  }

  private var options: RuleFile.Options { RuleFile.Options(rawValue: byte(11)) }
  var dropsAbove: Bool { options.contains(.above) }
  var onlyAtBottom: Bool { options.contains(.bottom) }
  var onlyOutsideApp: Bool { options.contains(.notApp) }
  /// Whether the function is the app's own, though it is at the bottom of a stack.
  var isEntry: Bool { options.contains(.entry) }
  /// Whether it holds for functions of scripts too; no other rule does.
  var holdsForScripts: Bool { options.contains(.scripts) }

  var hasModule: Bool { byte(13) > 0 }

  /// Whether a name alone is enough to give the class.
  var isUnconditional: Bool {
    frameClass != nil && !onlyAtBottom && !onlyOutsideApp && !hasModule
  }

  /// The origin of an image, in `images.rules`.
  var origin: ImageOrigin? {
    let code = byte(12)
    return code == 0 ? nil : RuleFile.origins[Int(code) - 1]
  }

  /// Whether it holds in an image of that name; without a name, whether it holds in every image.
  func fits(module: NameBytes?) -> Bool {
    let count = Int(byte(13))
    guard count > 0 else { return true }
    guard let module else { return false }
    let start = file.view.bytes.word(position) + short(14)
    return NamePattern.fits(module, in: file.view.bytes, start..<start + count)
  }
}

extension RawSpan {
  @inline(__always)
  func byte(_ offset: Int) -> UInt8 {
    unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)
  }

  @inline(__always)
  func short(_ offset: Int) -> Int {
    unsafe Int(unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self).littleEndian)
  }

  @inline(__always)
  func word(_ offset: Int) -> Int {
    unsafe Int(unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian)
  }

  @inline(__always)
  func long(_ offset: Int) -> UInt64 {
    unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
  }
}
