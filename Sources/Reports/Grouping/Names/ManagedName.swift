/// Names with full stops: Java, Kotlin, .NET, Go and JavaScript.
enum ManagedName {
  /// The normalised name, or `nil` when it is of another kind.
  static func normalise(_ name: NameBytes) -> NameBytes? {
    if name.find("::") != nil { return nil }
    // V8 puts the receiver's type before a function, `Object` where it has none of its own.
    if name.has("Object."), name.at(7) != UInt8(ascii: "<") { return name.from(7) }
    if name.has("async ") { return script(name.from(6)) }
    if name.has("new "), !name.contains(UInt8(ascii: "(")) { return name.from(4) }
    guard name.contains(UInt8(ascii: ".")) else { return nil }
    if isGo(name) { return go(name) }
    if let position = name.find("b__") ?? name.find("d__") ?? name.find("g__"),
      name.at(position - 1) == UInt8(ascii: ">")
    {
      return dotNet(name)
    }
    if name.find(" (index ") != nil { return script(name) }
    var name = name
    if let open = name.firstIndex(of: UInt8(ascii: "(")) {
      // Parameters or the location in the source.
      guard open > 0, name.last == UInt8(ascii: ")"), !name[..<open].contains(0x20) else {
        return nil
      }
      name.cut(at: open)
    }
    name = withoutTypeArguments(name)
    guard name.allSatisfy({ isPart($0) }) else { return nil }
    if name.ends(with: ".js") || name.ends(with: ".mjs") { return withoutHash(name) }
    return java(name)
  }

  /// ``Cart`1[T].Total`` and `Cart.Total[TItem]`, as .NET and Mono print generic types and methods, without
  /// the brackets.
  private static func withoutTypeArguments(_ name: NameBytes) -> NameBytes {
    guard let open = name.firstIndex(of: UInt8(ascii: "[")), open > 0 else { return name }
    var output = NameBytes(name[..<open])
    var index = open
    while index < name.count {
      if name[index] == UInt8(ascii: "["), let end = Brackets.end(of: name, from: index) {
        index = end
        continue
      }
      output.append(name[index])
      index += 1
    }
    return output
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    byte.isIdentifier || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "$")
      || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "`") || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: "@")
  }

  // MARK: Java and Kotlin

  /// Names that frameworks generate; the rest of the class name after it is a hash or a number.
  private static let proxies: [StaticString] = [
    "$$EnhancerBySpringCGLIB$$", "$$SpringCGLIB$$", "$$EnhancerByCGLIB$$",
    "$$FastClassBySpringCGLIB$$",
    "$$FastClassByCGLIB$$", "_$$_javassist_", "_$$_jvst", "$HibernateProxy$", "$MockitoMock$",
    "$ByteBuddy$", "$$EnhancerByGuice$$", "$$FastClassByGuice$$", "$$EnhancerByMockitoWithCGLIB$$",
  ]
  private static let lambdas: [StaticString] = ["$$Lambda", "$$ExternalSyntheticLambda"]
  private static let accessors: [StaticString] = [
    "GeneratedMethodAccessor", "GeneratedConstructorAccessor",
    "GeneratedSerializationConstructorAccessor",
  ]

  static func java(_ name: NameBytes) -> NameBytes {
    guard
      name.contains(UInt8(ascii: "$")) || name.contains(UInt8(ascii: "/"))
        || name.find("Accessor") != nil
        || name.contains(UInt8(ascii: "`"))
    else { return name }
    var output = NameBytes()
    var index = 0
    // `java.base/java.util.List.get`, `app//com.acme.Cart.run`: the module or the class loader.
    if let slash = name.firstIndex(of: UInt8(ascii: "/")),
      name.find("$$Lambda").map({ $0 > slash }) ?? true
    {
      index = slash + 1
      while name.at(index) == UInt8(ascii: "/") { index += 1 }
    }
    scan: while index < name.count {
      let byte = name[index]
      if byte == UInt8(ascii: "$") || byte == UInt8(ascii: "_") {
        for proxy in proxies where name.has(proxy, at: index) {
          output.append("$$Proxy")
          index = endOfClass(name, from: index)
          continue scan
        }
      }
      if byte == UInt8(ascii: "$") {
        for lambda in lambdas where name.has(lambda, at: index) {
          output.append("$$Lambda")
          index = endOfClass(name, from: index)
          continue scan
        }
        // Numbers of anonymous classes, accessors, lambdas, proxies.
        output.append(byte)
        index += 1
        let end = name.digitsEnd(index)
        let next = name.at(end)
        if end > index, next == 0 || next == UInt8(ascii: ".") || next == UInt8(ascii: "$") {
          index = end
          if next == 0, output.find("lambda$") != nil, output.last == UInt8(ascii: "$"),
            !output.ends(with: "lambda$")
          {
            output.removeLast()
          }
        } else if name.has("Proxy", at: index) {
          output.append("Proxy")
          index = name.digitsEnd(index + 5)
        }
        continue
      }
      if byte == UInt8(ascii: "G") {
        for accessor in accessors where name.has(accessor, at: index) {
          output.append(accessor)
          index = name.digitsEnd(index + accessor.utf8CodeUnitCount)
          continue scan
        }
      }
      if byte == UInt8(ascii: "`") {
        // The number of type parameters in .NET.
        index = name.digitsEnd(index + 1)
        continue
      }
      output.append(byte)
      index += 1
    }
    return output
  }

  private static func endOfClass(_ name: NameBytes, from start: Int) -> Int {
    var index = start
    while index < name.count, name[index] != UInt8(ascii: ".") { index += 1 }
    return index
  }

  // MARK: .NET

  /// `Cart.<LoadAsync>d__12.MoveNext()` as `Cart.LoadAsync`, `Cart.<>c__DisplayClass3_0.<Run>b__1`
  /// as `Cart.Run.{lambda}`.
  private static func dotNet(_ name: NameBytes) -> NameBytes {
    var output = NameBytes()
    var index = 0
    while index < name.count {
      let byte = name[index]
      if byte == UInt8(ascii: "<"), let close = name[index...].firstIndex(of: UInt8(ascii: ">")) {
        let inner = name[(index + 1)..<close]
        if inner.isEmpty {
          // The class that holds captured variables.
          index = endOfClass(name, from: index) + 1
          continue
        }
        output.append(contentsOf: inner)
        let kind = name.at(close + 1)
        if kind == UInt8(ascii: "d") { return output }
        if kind == UInt8(ascii: "g"), name.has("g__", at: close + 1) {
          output.append(UInt8(ascii: "."))
          var end = close + 4
          while name.at(end).isIdentifier {
            output.append(name[end])
            end += 1
          }
          return output
        }
        output.append(".{lambda}")
        return output
      }
      if byte == UInt8(ascii: "(") { return output }
      output.append(byte == UInt8(ascii: "+") ? UInt8(ascii: ".") : byte)
      index += 1
    }
    return output
  }

  // MARK: Go

  private static func isGo(_ name: NameBytes) -> Bool {
    if name.find(".(*") != nil { return true }
    guard let position = name.findLast(".func") else { return false }
    return name.at(position + 5).isDigit
  }

  /// `main.(*Cart).Total.func1.2` as `main.(*Cart).Total.{closure}`.
  private static func go(_ name: NameBytes) -> NameBytes {
    var output = NameBytes()
    var index = 0
    while index < name.count {
      if name.has(".func", at: index), name.at(index + 5).isDigit {
        output.append(".{closure}")
        return output
      }
      if name[index] == UInt8(ascii: "["), let end = Brackets.end(of: name, from: index) {
        index = end
        continue
      }
      if name[index] == UInt8(ascii: "("), name.at(index + 1) != UInt8(ascii: "*") { return output }
      output.append(name[index])
      index += 1
    }
    return output
  }

  // MARK: JavaScript

  private static func script(_ name: NameBytes) -> NameBytes {
    var name = name
    if let position = name.find(" (index ") { name.cut(at: position) }
    return name
  }

  /// `chunk.3fa9c1d2.js` as `chunk.js`: the hash of the content.
  static func withoutHash(_ name: NameBytes) -> NameBytes {
    let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let kept = parts.enumerated().filter { position, part in
      position == 0 || part.count < 8 || !part.allSatisfy { $0.isHexDigit }
    }
    return Array(kept.map { $0.element }.joined(separator: [UInt8(ascii: ".")]))
  }
}
