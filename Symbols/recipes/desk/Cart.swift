/// What a customer has put on the counter.
struct Cart {
  private var rows: [Row] = []

  struct Row {
    var sku: String
    var cents: Int32
  }

  init(_ skus: [String]) {
    for (index, sku) in skus.enumerated() {
      rows.append(Row(sku: sku, cents: Int32(index + 1) * 420))
    }
  }

  subscript(index: Int) -> Row { rows[index] }

  /// The total of `copies` such carts.
  @inline(never)
  func total(copies: Int32) -> Int32 {
    var sum: Int32 = 0
    for row in rows { sum += price(row, copies) }
    return sum
  }

  private func price(_ row: Row, _ copies: Int32) -> Int32 { row.cents * copies }
}

/// Shows one row of the cart.
@inline(never)
func show(_ index: Int, of cart: Cart) -> String {
  let row = cart[index]
  return "\(row.sku) \(row.cents)"
}
