internal import Bytes

/// The symbol records of a module, of which functions and what is inlined into them are kept.
///
///     OFFSET  SIZE  FIELD
///          0     2  size of what follows
///          2     2  kind
///     functions (0x110f, 0x1110, 0x1146, 0x1147, 0x1155, 0x1156)
///         16     4  size of the code
///         32     4  offset in the section
///         36     2  section
///         39     n  name, with a NUL
///     thunks (0x1102)
///         16     4  offset in the section
///         20     2  section
///         22     2  size of the code
///         25     n  name, with a NUL
///     code of a function that stands apart (0x1132)
///         12     4  size of the code
///         20     4  offset in the section, and then that of the function
///         28     2  section, and then that of the function
///     inlined calls (0x114d, 0x115d)
///         12     4  item of the function that was called
///         16     n  annotations; in the second form after a number of four bytes
///
/// Functions, thunks, parts, calls and blocks (0x1103, 0x1104, 0x112a, 0x112b) hold what follows up
/// to an end (0x0006, 0x114e, 0x114f).
///
/// Source: PROCSYM32, THUNKSYM32, SEPCODESYM, INLINESITESYM in Microsoft's cvinfo.h; LLVM docs,
/// "CodeView Symbol Records".
struct ModuleSymbols {
  /// Code with a name.
  struct Function {
    var section: UInt16
    var offset: UInt32
    var size: UInt32
    var name: ByteView
    /// Its calls, in order.
    var sites: [Site] = []
  }

  /// An inlined call.
  struct Site {
    /// The index of the call around it; `nil` in the function itself.
    let parent: Int?
    let item: UInt32
    let annotations: ByteView
  }

  /// Code of a function that stands apart.
  struct SeparatedCode {
    let section: UInt16
    let offset: UInt32
    let size: UInt32
    let functionSection: UInt16
    let functionOffset: UInt32
  }

  enum Item {
    case function(Function)
    case separatedCode(SeparatedCode)
  }

  /// The open functions and calls.
  private struct Open {
    var isFunction = false
    /// The innermost call around what follows.
    var site: Int?
  }

  /// Hands each function to `body` when it ends, and each part when it begins.
  ///
  /// - Throws: ``ParseError`` for the first record that is cut off, after everything that could be
  ///   read.
  static func forEach(in view: ByteView, body: (Item) -> Void) throws(ParseError) {
    var damage: ParseError?
    var reader = ByteReader(view.bytes, reading: "module symbols")
    var open: [Open] = []
    var function: Function?
    /// Remembers a record that is too short for its kind.
    func isMissing(_ start: Int) {
      damage = damage ?? ParseError(.invalid("a short record"), in: "module symbols", at: start)
    }
    while !reader.isAtEnd {
      let start = reader.position + 2
      let end: Int
      let kind: SymbolKind
      do throws(ParseError) {
        let size: UInt16 = try reader.read()
        end = start + Int(size)
        guard size >= 2, end <= view.count else {
          throw reader.error(.invalid("a record of \(size) bytes"))
        }
        kind = SymbolKind(rawValue: try reader.read())
      } catch {
        damage = damage ?? error
        break
      }
      switch kind {
      case .localFunction, .globalFunction, .localFunctionByID, .globalFunctionByID,
        .localDPCFunction, .localDPCFunctionByID:
        if let done = function { body(.function(done)) }
        function = self.function(view, start, end)
        if function == nil { isMissing(start) }
        // Functions do not lie within each other: one that does shows a lost end.
        open = [Open(isFunction: true)]
      case .thunk:
        if let thunk = thunk(view, start, end) {
          body(.function(thunk))
        } else {
          isMissing(start)
        }
        open.append(Open(site: open.last?.site))
      case .separatedCode:
        if let separated = separatedCode(view, start, end) {
          body(.separatedCode(separated))
        } else {
          isMissing(start)
        }
        open.append(Open(site: open.last?.site))
      case .block, .with, .globalManagedFunction, .localManagedFunction:
        open.append(Open(site: open.last?.site))
      case .inlineSite, .inlineSite2:
        let annotations = start + (kind == .inlineSite ? 14 : 18)
        guard function != nil, annotations <= end else {
          open.append(Open(site: open.last?.site))
          break
        }
        let item = view.number(at: start + 10, size: 4)
        let site = Site(
          parent: open.last?.site, item: UInt32(truncatingIfNeeded: item),
          annotations: view.clamped(annotations..<end))
        function?.sites.append(site)
        open.append(Open(site: (function?.sites.count ?? 1) - 1))
      case .end, .inlineSiteEnd, .functionIDEnd:
        if open.popLast()?.isFunction == true, let done = function {
          body(.function(done))
          function = nil
        }
      default: break
      }
      guard (try? reader.seek(to: end)) != nil else { break }
    }
    if let function { body(.function(function)) }
    if let damage { throw damage }
  }

  // A record's fields count from after its size, so two less than in the layout above.

  private static func function(_ view: ByteView, _ start: Int, _ end: Int) -> Function? {
    guard start + 37 <= end else { return nil }
    return Function(
      section: UInt16(truncatingIfNeeded: view.number(at: start + 34, size: 2)),
      offset: UInt32(truncatingIfNeeded: view.number(at: start + 30, size: 4)),
      size: UInt32(truncatingIfNeeded: view.number(at: start + 14, size: 4)),
      name: view.clamped((start + 37)..<end))
  }

  private static func thunk(_ view: ByteView, _ start: Int, _ end: Int) -> Function? {
    guard start + 23 <= end else { return nil }
    return Function(
      section: UInt16(truncatingIfNeeded: view.number(at: start + 18, size: 2)),
      offset: UInt32(truncatingIfNeeded: view.number(at: start + 14, size: 4)),
      size: UInt32(truncatingIfNeeded: view.number(at: start + 20, size: 2)),
      name: view.clamped((start + 23)..<end))
  }

  private static func separatedCode(_ view: ByteView, _ start: Int, _ end: Int) -> SeparatedCode? {
    guard start + 30 <= end else { return nil }
    return SeparatedCode(
      section: UInt16(truncatingIfNeeded: view.number(at: start + 26, size: 2)),
      offset: UInt32(truncatingIfNeeded: view.number(at: start + 18, size: 4)),
      size: UInt32(truncatingIfNeeded: view.number(at: start + 10, size: 4)),
      functionSection: UInt16(truncatingIfNeeded: view.number(at: start + 28, size: 2)),
      functionOffset: UInt32(truncatingIfNeeded: view.number(at: start + 22, size: 4)))
  }
}

extension ByteView {
  /// The little-endian number of `size` bytes at `offset`; 0 where it is not there.
  func number(at offset: Int, size: Int) -> UInt64 {
    guard offset >= 0, offset <= count - size else { return 0 }
    return (0..<size).reduce(0) { $0 | UInt64(self[offset + $1]) << UInt64(8 * $1) }
  }
}
