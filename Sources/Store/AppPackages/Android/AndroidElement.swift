internal import Bytes

/// An element of an Android manifest, from either of its two forms.
struct AndroidElement: Sendable {
  var name: String
  var attributes: [Attribute] = []
  var children: [AndroidElement] = []

  struct Attribute: Sendable {
    /// The resource number by which the system identifies it; 0 for one without a namespace.
    var resource: UInt32
    /// Its namespace; empty for none.
    var namespace: String
    var name: String
    var value: AndroidValue
  }

  init(name: String) { self.name = name }

  /// The value of one of the system's attributes, identified by number whatever its name.
  subscript(resource: AndroidAttribute) -> AndroidValue? {
    attributes.first { $0.resource == resource.rawValue }?.value
  }

  /// The value of an attribute without a namespace.
  subscript(name: String) -> AndroidValue? {
    attributes.first { $0.namespace.isEmpty && $0.name == name && $0.resource == 0 }?.value
  }

  func all(_ name: String) -> [AndroidElement] { children.filter { $0.name == name } }
}

/// Numbers of the system's attributes.
///
/// Source: `android.R.attr`, in public-final.xml of the framework.
struct AndroidAttribute: RawRepresentable, Sendable {
  let rawValue: UInt32

  static let label = AndroidAttribute(rawValue: 0x0101_0001)
  static let icon = AndroidAttribute(rawValue: 0x0101_0002)
  static let minSdkVersion = AndroidAttribute(rawValue: 0x0101_020c)
  static let versionCode = AndroidAttribute(rawValue: 0x0101_021b)
  static let versionName = AndroidAttribute(rawValue: 0x0101_021c)
}

/// A value of an attribute or a resource.
enum AndroidValue: Hashable, Sendable {
  case string(String)
  case integer(UInt32)
  /// Another resource.
  case reference(UInt32)
  /// Colours, dimensions, theme values ...
  case other
}

/// The resources of an app.
protocol AndroidResources {
  /// The values of a resource in each configuration that defines it.
  ///
  /// - Throws: ``ParseError`` for damage.
  func values(of id: UInt32) throws(ParseError) -> [AndroidResource]
}

/// A resource in one configuration of devices.
struct AndroidResource: Sendable {
  /// Whether it applies to all devices, apart from their density and system version.
  var isDefault: Bool
  /// Dots per inch; 0 for any.
  var density: Int
  var value: AndroidValue
}

extension AndroidResources {
  /// The value that a reference leads to, followed through other references.
  ///
  /// - Throws: ``ParseError`` for damage, and for references in a circle.
  func resolve(_ value: AndroidValue) throws(ParseError) -> AndroidValue? {
    var value = value
    for _ in 0..<AppPackageLimits.references {
      guard case .reference(let id) = value else { return value }
      let found = try values(of: id)
      guard let next = found.first(where: \.isDefault) ?? found.first else { return nil }
      value = next.value
    }
    throw tooMany
  }

  /// The paths of the files that a reference leads to, for the densest screens first.
  func files(_ value: AndroidValue) throws(ParseError) -> [String] {
    var found: [(density: Int, path: String)] = []
    var open = [(value, 0)]
    var steps = 0
    while let (value, density) = open.popLast() {
      steps += 1
      guard steps <= AppPackageLimits.lookUps else { throw tooMany }
      switch value {
      case .string(let path): found.append((density, path))
      case .reference(let id): open += try values(of: id).map { ($0.value, $0.density) }
      default: break
      }
    }
    return found.sorted { ($0.density, $1.path) > ($1.density, $0.path) }.map(\.path)
  }

  private var tooMany: ParseError {
    ParseError(
      .limit(name: "references", value: AppPackageLimits.references), in: "resources", at: 0)
  }
}

/// The resources of an app that has none.
struct NoAndroidResources: AndroidResources {
  func values(of id: UInt32) throws(ParseError) -> [AndroidResource] { [] }
}
