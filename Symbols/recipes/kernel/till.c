int printk(const char *text, ...);
struct desk { int seats; int price; };
int tern_price(struct desk *desk);

static __attribute__((noinline)) int check(struct desk *desk)
{
	if (desk->price < 0) {
		printk("till: %d\n", desk->price);
		printk("till: %d of %d\n", desk->price, desk->seats);
	}
	return desk->price * 5 + desk->seats;
}

int tern_total(struct desk *desk, int count)
{
	int sum = 0;
	for (int index = 0; index < count; index++)
		sum += tern_price(desk + index) + check(desk + index);
	return sum;
}

__attribute__((section(".init.text"))) int tern_init(void)
{
	struct desk desk = { 1, 2 };
	return tern_total(&desk, 1);
}
