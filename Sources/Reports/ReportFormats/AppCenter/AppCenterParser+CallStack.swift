internal import CrashModel
internal import Identifiers
internal import JSON

extension AppCenterParser {
  /// The frames of an exception that Apple's SDK made from the call stack of the code that reported an error.
  ///
  /// The SDK sends the stack twice. It makes `frames` by splitting each line at blanks, full stops and
  /// brackets, and drops every line with fewer than six parts: functions of Swift and C and all functions of
  /// a stripped program are missing there. `stackTrace` is complete.
  ///
  /// - Returns: `nil` if `stackTrace` is not such a stack, or has less information than `frames`.
  mutating func callStack(of exception: JSONValue) -> [Frame]? {
    guard let text = exception.text("stackTrace") else { return nil }
    let stack = AppleCallStackText(text, limit: max(0, AppCenterLimits.frames - frameCount))
    guard !stack.calls.isEmpty, stack.calls.count >= exception.list("frames").count else {
      return nil
    }
    if stack.isCut { note("only the first \(AppCenterLimits.frames) frames were read") }
    frameCount += stack.calls.count
    // Lines with a distance from the image's start show where it was loaded.
    var bases: [String: UInt64] = [:]
    for call in stack.calls {
      guard let image = call.image, let offset = call.imageOffset, offset <= call.address else {
        continue
      }
      bases[image] = bases[image] ?? call.address - offset
    }
    return stack.calls.map { call in
      var frame = Frame(address: Address(call.address), position: .returnAddress)
      frame.function = call.function
      frame.symbolOffset = call.functionOffset
      frame = located(frame)
      guard frame.image == nil, let name = call.image else { return frame }
      frame.imageOffset = (call.imageOffset ?? bases[name].flatMap { call.address.minus($0) }).map {
        ImageOffset($0)
      }
      setImage(name, base: bases[name], of: &frame)
      return frame
    }
  }

  /// Gives a frame the image of a name. Its build is unknown, only the release of the app is known.
  mutating func setImage(_ name: String, base: UInt64?, of frame: inout Frame) {
    guard let index = image(named: name, base: base, for: frame) else { return }
    frame.image = index
    // The code that reports an error is not where it happened.
    if Self.ownImages.contains(name) { frame.inApp = false }
  }

  /// The images of the SDK where it is not linked into the program.
  private static let ownImages: Set = [
    "AppCenter", "AppCenterAnalytics", "AppCenterCrashes", "AppCenterDistribute",
  ]

  private mutating func image(named name: String, base: UInt64?, for frame: Frame) -> Int? {
    if let known = imagesByName[name] {
      if report.images[known].base == nil { report.images[known].base = base.map { Address($0) } }
      return known
    }
    guard report.images.count < AppCenterLimits.images else {
      note("only the first \(AppCenterLimits.images) images were read")
      return nil
    }
    var image = LoadedImage(name: name, base: base.map { Address($0) })
    image.architecture = report.device.architecture ?? architectureOfDevice(for: frame)
    let release = Release(version: report.app.version ?? "", build: report.app.build ?? "")
    if !release.isEmpty { image.release = release }
    imagesByName[name] = report.images.count
    report.images.append(image)
    return report.images.count - 1
  }

  /// The architecture of Apple's 64-bit devices; a simulator has its computer's.
  private func architectureOfDevice(for frame: Frame) -> Architecture? {
    guard let model = report.device.model, let address = frame.address, address.value >> 32 != 0,
      ["iPhone", "iPad", "iPod", "AppleTV", "RealityDevice"].contains(where: model.hasPrefix)
    else { return nil }
    return .arm64
  }

  /// A frame as Apple's SDK splits a line: the image's name up to its first full stop in `fileName`, the rest
  /// of it in the members that follow, and only then the address, the class and the method.
  ///
  ///     fileName         address             className           methodName
  ///     Tern             0x0000000104a381c8  Shop                sell:
  ///     libdispatch      dylib               0x00000001a1c1a4d8  _dispatch_call_block_and_release
  ///     Tern             debug               dylib               0x0000000104a381c8
  ///
  /// - Returns: `nil` for any other frame.
  mutating func dividedFrame(_ value: JSONValue, position: CodePosition) -> Frame? {
    let members = ["fileName", "address", "className", "methodName"].map { value.text($0) }
    guard
      let index = members.firstIndex(where: { $0?.hasPrefix("0x") == true }), index > 0,
      let address = members[index].flatMap({ UInt64($0.dropFirst(2), radix: 16) }),
      members[..<index].allSatisfy({ $0?.isEmpty == false })
    else { return nil }
    var frame = Frame(address: Address(address), position: position)
    switch index {
    case 1:
      if let type = members[2], let method = members[3] {
        frame.function =
          method.hasPrefix("-") || method.hasPrefix("+") ? method : "-[\(type) \(method)]"
      } else {
        frame.function = members[3] ?? members[2]
      }
    case 2: frame.function = members[3]
    default: break
    }
    frame = located(frame)
    if frame.image == nil {
      let name = members[..<index].compactMap(\.self).joined(separator: ".")
      setImage(name, base: nil, of: &frame)
    }
    return frame
  }
}

extension UInt64 {
  /// The distance from `base`; `nil` where it is below it.
  fileprivate func minus(_ base: UInt64) -> UInt64? { self >= base ? self - base : nil }
}
