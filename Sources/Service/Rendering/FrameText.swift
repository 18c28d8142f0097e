internal import Bytes
package import CrashModel
internal import CrashService
internal import Identifiers

/// The text of a frame: its function and location. All of it is printable.
package struct FrameText {
  /// The function, or the best substitute: `Tern + 0x1f0`, or the address.
  package let name: String
  /// `Sources/demo/Crash.swift:12:5`.
  package let location: String?
  /// The name of the image.
  package let image: String?
  package let isInlined: Bool
  package let isInApp: Bool?

  package init(_ frame: Frame, in report: CrashReport) {
    let image = frame.image.flatMap { index in
      report.images.indices.contains(index) ? report.images[index].name.printable : nil
    }
    self.image = image
    isInlined = frame.inlined
    isInApp = frame.inApp
    if let function = frame.function ?? frame.symbol, !function.isEmpty {
      let isLocated = frame.file != nil
      let offset = frame.symbolOffset.map { " + \($0)" } ?? ""
      name = Self.shortened(function).printable + (isLocated ? "" : offset)
    } else if let image, let offset = frame.imageOffset {
      name = "\(image) + \(offset)"
    } else {
      name = frame.address.map(\.description) ?? "??"
    }
    location = frame.file.map { file in
      var text = file.printable
      if let line = frame.line { text += ":\(line)" }
      if let column = frame.column, frame.line != nil { text += ":\(column)" }
      return text
    }
  }

  /// Returns the function with expanded standard types abbreviated.
  private static func shortened(_ function: String) -> String {
    guard function.contains("::basic_string<") else { return function }
    var text = function
    for (long, short) in spelledOut { text = text.replacing(long, with: short) }
    return text
  }

  /// The strings of libstdc++ and libc++, as `__cxa_demangle` and LLVM print them.
  private static let spelledOut: [(String, String)] = ["std::__cxx11", "std::__1", "std"].flatMap {
    library in
    [" >", ">"].map { end in
      (
        "\(library)::basic_string<char, \(library == "std::__1" ? library : "std")"
          + "::char_traits<char>, \(library == "std::__1" ? library : "std")::allocator<char>"
          + end, "std::string"
      )
    }
  }

  /// The text beside the name: the location in the source, or otherwise the image.
  package var beside: String { location ?? (name.hasPrefix(image ?? "\0") ? "" : image ?? "") }
}
