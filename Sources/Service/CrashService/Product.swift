internal import Symbolication

/// The program as a whole.
package enum Product {
  /// The version that people see.
  package static var version: String { engineVersion }
}
