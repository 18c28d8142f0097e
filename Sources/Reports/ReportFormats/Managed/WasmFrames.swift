internal import Bytes
internal import CrashModel
internal import Identifiers

/// Calls in WebAssembly, in the traces of browsers and runtimes:
///
///     at total (wasm://wasm/till.wasm-0a1b2c3d:wasm-function[1]:0x5c)     Chrome and Node
///     at https://shop.example/till.wasm:wasm-function[1]:0x5c             Chrome, without names
///     total@https://shop.example/till.wasm:wasm-function[1]:0x5c          Firefox
///     <?>.wasm-function[total]@[wasm code]                                Safari
///     total (till.wasm[1]:0x5c)                                           Wasmer
///
/// The number is an offset into the module: of the instruction that trapped, and of a call or the instruction
/// after it, depending on the engine.
enum WasmFrames {
  /// The name of an image for which the trace has none.
  static let unnamed = "wasm"

  /// - Parameter location: `URL:wasm-function[1]:0x5c`.
  static func frame(function: Substring?, location: Substring) -> Frame? {
    guard let close = location.firstRange(of: "]:0x"),
      let offset = UInt64(location[close.upperBound...], radix: 16),
      let open = location[..<close.lowerBound].lastIndex(of: "["),
      location[open..<close.lowerBound].dropFirst().allSatisfy(\.isNumber)
    else { return nil }
    var frame = Frame(position: .returnAddress)
    // Including the function number, until the module is known as an image.
    frame.file = String(location[...close.lowerBound])
    frame.imageOffset = ImageOffset(offset)
    if let function, !function.isEmpty, function != "<anonymous>",
      !function.hasPrefix("wasm-function[")
    {
      frame.function = String(function)
    }
    return frame
  }

  /// The exception and its causes with an image for each module that its frames name.
  static func located(
    _ exception: LanguageException, in images: inout [LoadedImage]
  ) -> LanguageException {
    var result = exception
    for index in result.frames.indices { locate(&result.frames[index], in: &images) }
    if result.frames.first?.imageOffset != nil { result.frames[0].position = .exact }
    // As deep as the readers allow causes to be.
    for index in result.inner.indices {
      result.inner[index] = located(result.inner[index], in: &images)
    }
    return result
  }

  private static func locate(_ frame: inout Frame, in images: inout [LoadedImage]) {
    guard frame.image == nil, frame.imageOffset != nil, let file = frame.file else { return }
    var module = file.prefix(upTo: file.lastIndex(of: "[") ?? file.endIndex)
    if module.hasSuffix(":wasm-function") { module = module.dropLast(14) }
    let url = String(module)
    let name = name(of: url)
    frame.file = nil
    if let index = images.lastIndex(where: {
      $0.path == url || name == unnamed && $0.name == unnamed
    }) {
      frame.image = index
    } else if images.count < 256 {
      images.append(LoadedImage(name: name, path: url, architecture: .wasm32))
      if name == unnamed { images[images.count - 1].path = nil }
      frame.image = images.count - 1
    } else {
      frame.imageOffset = nil
    }
  }

  /// `till.wasm` of `https://shop.example/till.wasm?v=2` and of `wasm://wasm/till.wasm-0a1b2c3d`.
  private static func name(of url: String) -> String {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    guard var last = path.split(separator: "/").last else { return unnamed }
    if path.hasPrefix("wasm://") {
      guard let dash = last.lastIndex(of: "-") else { return unnamed }
      last = last[..<dash]
    }
    return last.isEmpty || last.hasPrefix("<") ? unnamed : String(last)
  }
}
