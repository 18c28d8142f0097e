public import Bytes
internal import Synchronization

/// A mapping of R8 or ProGuard: the source names of the classes and methods of a shipped app, and their
/// locations.
///
/// The text is scanned once to find its classes; a class is read when a frame needs it.
public final class R8Mapping: Sendable {
  public let header: R8Header
  private let mapping: ByteView
  private let classes: R8ClassTable
  private let seed: UInt64
  private let opened = Mutex(Opened())

  /// Cached classes, limited by the number of their members.
  private struct Opened {
    var classes: [UInt32: R8Class] = [:]
    var members = 0
  }

  private static let mostOpenedMembers = 2 << 20

  /// - Complexity: O(n) in the bytes.
  public init(_ mapping: ByteView) {
    self.mapping = mapping
    header = R8Header(of: mapping)
    seed = UInt64.random(in: .min ... .max)
    classes = R8ClassTable(of: mapping, seed: seed)
  }

  /// The number of classes in it.
  public var classCount: Int { classes.starts.count }

  /// The parts of it that were ignored, as text.
  public var notes: [String] {
    classes.isCut ? ["only the first \(R8ClassTable.mostClasses) classes were read"] : []
  }

  /// The source name of a class; `nil` for one that the mapping does not contain.
  ///
  /// - Complexity: O(log n) in the classes.
  public func className(_ obfuscated: String) -> String? {
    guard let number = number(of: obfuscated) else { return nil }
    return names(of: number).map { string($0.original) }
  }

  // MARK: Classes

  func hash(_ text: ByteView) -> UInt64 {
    text.bytes.contentHash(from: 0, count: text.count, seed: seed)
  }

  private func names(of number: UInt32) -> R8ClassLine? {
    let mapping = mapping
    let bytes = mapping.bytes
    var lines = R8Lines(classes.starts[Int(number)]..<bytes.byteCount)
    return lines.next(in: bytes).flatMap { R8ClassLine($0, in: bytes) }
  }

  private func number(of obfuscated: String) -> UInt32? {
    let name = ByteView(obfuscated.utf8)
    return classes.classes(withObfuscatedHash: hash(name)).first { number in
      names(of: number).map { isSame($0.obfuscated, name) } ?? false
    }
  }

  func isSame(_ range: Range<Int>, _ name: ByteView) -> Bool {
    let mapping = mapping
    return range.count == name.count
      && mapping.bytes.matches(
        from: range.lowerBound, count: name.count, in: name.bytes, from: 0)
  }

  /// A class by its name in the app.
  func openClass(obfuscated: String) -> R8Class? { number(of: obfuscated).flatMap { open($0) } }

  /// The source file of a class, as far as the mapping gives it.
  func sourceFile(ofOriginal name: String) -> String? {
    let bytes = ByteView(name.utf8)
    let number = classes.classes(withOriginalHash: hash(bytes)).first { number in
      names(of: number).map { isSame($0.original, bytes) } ?? false
    }
    return number.flatMap { sourceFile(of: $0) }
  }

  /// Only the comments after the class's line are read.
  private func sourceFile(of number: UInt32) -> String? {
    let mapping = mapping
    let bytes = mapping.bytes
    var lines = R8Lines(classes.starts[Int(number)]..<bytes.byteCount)
    _ = lines.next(in: bytes)
    while let line = lines.next(in: bytes), let first = line.first,
      bytes.byte(first) == UInt8(ascii: "#")
    {
      if case .sourceFile(let name)? = R8Note(line, in: mapping) { return name }
    }
    return nil
  }

  private func open(_ number: UInt32) -> R8Class? {
    if let known = opened.withLock({ $0.classes[number] }) { return known }
    guard let new = R8Class(at: classes.starts[Int(number)], in: mapping, seed: seed) else {
      return nil
    }
    opened.withLock { opened in
      if opened.members + new.members.count > Self.mostOpenedMembers {
        opened = Opened()
      }
      opened.classes[number] = new
      opened.members += new.members.count
    }
    return new
  }

  func memberLine(_ member: R8Class.Member) -> R8MemberLine? {
    let mapping = mapping
    return R8MemberLine(member.line, in: mapping.bytes)
  }

  func string(_ range: Range<Int>) -> String {
    let mapping = mapping
    return mapping.bytes.string(range)
  }
}
