internal import Demangling
internal import Synchronization

/// Readable names, each demangled once.
final class NameTable: Sendable {
  struct Name: Sendable {
    /// For a person.
    let function: String
    /// The raw name, where it differs.
    let symbol: String?
  }

  /// Past this many names the table starts again: a server sees names without end.
  private static let limit = 200_000

  private let names = Mutex<[String: Name]>([:])

  /// - Parameter readable: The name for a person where the debug file gives it.
  func name(_ raw: String, readable: String? = nil) -> Name {
    if let readable { return Name(function: readable, symbol: raw) }
    if let known = names.withLock({ $0[raw] }) { return known }
    let readable = Demangler.demangle(raw)
    let name = Name(function: readable ?? raw, symbol: readable == nil ? nil : raw)
    names.withLock {
      if $0.count >= Self.limit { $0.removeAll() }
      $0[raw] = name
    }
    return name
  }
}
