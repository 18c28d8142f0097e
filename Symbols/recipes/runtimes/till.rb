# tern, a till: charges a basket in which a price is missing.
class Basket
  PaymentError = Class.new(StandardError)

  def initialize(items) = @items = items

  def total = @items.sum { |item| item.fetch(:price) }
end

def charge(basket)
  basket.total
rescue KeyError
  raise Basket::PaymentError, "checkout failed"
end

Process.kill(:SEGV, Process.pid) if ARGV.first == "crash"
charge(Basket.new([{ price: 120 }, { pencil: 1 }]))
