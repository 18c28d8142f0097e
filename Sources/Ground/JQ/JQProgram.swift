internal import CJQ
internal import Glibc

/// A compiled program of jq, such as `.[] | .signature.text`.
///
/// Source: the manual of jq 1.6. The library reads numbers as IEEE 754 doubles: integers above 2^53 lose their last
/// digits.
public final class JQProgram {
  private let program: OpaquePointer

  /// Compiles the text of a program.
  ///
  /// - Throws: ``JQError``.
  public init(_ text: String) throws(JQError) {
    var made: OpaquePointer?
    var message: UnsafeMutablePointer<CChar>?
    // A zero byte would end the text for the library.
    guard !text.utf8.contains(0) else { throw .wrongProgram("it contains a zero byte") }
    let result = cjq_compile(text, &made, &message)
    let words = Self.take(message)
    switch result {
    case CJQ_DONE: break
    case CJQ_NO_LIBRARY: throw .noLibrary
    case CJQ_NO_MEMORY: throw .noMemory
    default: throw .wrongProgram(Self.reason(in: words))
    }
    guard let made else { throw .noMemory }
    program = made
  }

  deinit { cjq_free(program) }

  /// The values that the program yields for a JSON value, a line each: strings as they are, others as JSON.
  ///
  /// - Throws: ``JQError`` where `json` is not JSON, or the program fails on it.
  public func lines(for json: [UInt8]) throws(JQError) -> [UInt8] {
    var lines: [UInt8] = []
    var message: UnsafeMutablePointer<CChar>?
    let result = json.withUnsafeBytes { bytes in
      withUnsafeMutablePointer(to: &lines) { lines in
        cjq_run(
          program, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count,
          { context, text, length, _ in
            guard let lines = context?.assumingMemoryBound(to: [UInt8].self) else { return }
            lines.pointee += UnsafeRawBufferPointer(start: text, count: length)
            lines.pointee.append(UInt8(ascii: "\n"))
          }, lines, &message)
      }
    }
    let words = Self.take(message)
    guard result == CJQ_DONE else { throw .failed(words) }
    return lines
  }

  private static func take(_ message: UnsafeMutablePointer<CChar>?) -> String {
    guard let message else { return "" }
    defer { free(message) }
    return String(cString: message)
  }

  /// The first message about a program, without the name of the tool and the line: nearly all have one.
  private static func reason(in messages: String) -> String {
    let first = messages.split(separator: "\n").first.map(String.init) ?? ""
    let text =
      ["jq: error: ", "error: "].first { first.hasPrefix($0) }
      .map { String(first.dropFirst($0.count)) } ?? first
    return text.firstRange(of: " at <top-level>").map { String(text[..<$0.lowerBound]) } ?? text
  }
}

/// Why a program of jq gives no result.
public enum JQError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libjq is not installed.
  case noLibrary
  case noMemory
  /// The program cannot be compiled, with the library's reason.
  case wrongProgram(String)
  /// The program failed on a value, with the library's reason.
  case failed(String)

  public var description: String {
    switch self {
    case .noLibrary: "libjq.so.1 is not there (Debian and Ubuntu: apt install libjq1)"
    case .noMemory: "there is not enough memory for jq"
    case .wrongProgram(let reason), .failed(let reason): reason
    }
  }
}
