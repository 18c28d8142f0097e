/// The program as a whole.
package enum Product {
  /// The version shown to users.
  package static let version = "0.1.0"
}
