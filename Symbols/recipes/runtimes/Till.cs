// tern, a till: charges a basket in which a price is missing.
using System;
using System.Collections.Generic;
using System.Linq;

namespace Tern {
  class PaymentException : Exception {
    public PaymentException(string message, Exception cause) : base(message, cause) {}
  }
  class Basket<T> {
    readonly List<string> prices = new List<string> { "120", "x" };
    public int Total() { return prices.Sum(price => int.Parse(price)); }
  }
  static class Till {
    static int Charge(Basket<int> basket) {
      try { return basket.Total(); }
      catch (FormatException error) { throw new PaymentException("checkout failed\nask a colleague", error); }
    }
    static void Main(string[] words) {
      if (words.Length > 0) Environment.FailFast("the drawer is open");
      Charge(new Basket<int>());
    }
  }
}
