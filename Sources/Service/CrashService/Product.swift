/// The program as a whole.
package enum Product {
  /// The version that people see.
  package static let version = "0.1.0"
}
